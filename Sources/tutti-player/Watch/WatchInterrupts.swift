import Glibc
import TuttiHost

/// Leaving a view by ^C.
enum WatchInterrupts {
    /// At SIGINT, SIGTERM or SIGHUP calls `cleanUp` and ends the process with status 0. Works while the result is held.
    static func leave(_ cleanUp: @escaping @Sendable () -> Void) -> StopSignals {
        StopSignals(StopSignals.ofTerminal) {
            cleanUp()
            Glibc.exit(0)
        }
    }
}
