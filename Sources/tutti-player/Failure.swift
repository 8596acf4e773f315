import Tutti
import TuttiSender
import TuttiSettings

/// Why a command ends early: one line and an exit status.
struct Failure: Error {
    let message: String
    let exitCode: Int32

    init(_ message: String, exitCode: Int32 = 1) {
        self.message = message
        self.exitCode = exitCode
    }

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
