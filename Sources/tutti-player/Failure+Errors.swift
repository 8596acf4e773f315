import Tutti
import TuttiCommandLine
import TuttiRooms
import TuttiSender
import TuttiSettings

extension Failure {
    /// How playback ended, if something went wrong.
    init?(exitCode: Int32, _ message: String?) {
        guard exitCode != 0 else { return nil }
        self.init(message ?? "playback failed", exitCode: exitCode)
    }

    /// The same in this process.
    init?(_ outcome: PlayerOutcome) { self.init(exitCode: outcome.exitCode, outcome.message) }

    init(_ error: QueuePlayerError) { self.init(error.description, exitCode: error.exitCode) }

    init(_ error: SenderError) { self.init(error.description, exitCode: error.exitCode) }

    /// A wrong setting is as bad as a wrong command line.
    init(_ error: SettingsError) { self.init(error.description, exitCode: 2) }
}
