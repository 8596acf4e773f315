import Tutti
import TuttiCommandLine
import TuttiSender
import TuttiSettings

extension Failure {
    /// What a programme ended with, if something went wrong.
    init?(_ outcome: PlayerOutcome) {
        guard outcome.exitCode != 0 else { return nil }
        self.init(outcome.message ?? "it failed", exitCode: outcome.exitCode)
    }

    init(_ error: QueuePlayerError) { self.init(error.description, exitCode: error.exitCode) }

    init(_ error: SenderError) { self.init(error.description, exitCode: error.exitCode) }

    /// A wrong setting is as bad as a wrong command line.
    init(_ error: SettingsError) { self.init(error.description, exitCode: 2) }
}
