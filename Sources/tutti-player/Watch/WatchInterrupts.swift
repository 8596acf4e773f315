import Dispatch
import Glibc

/// Leaving a view by ^C.
enum WatchInterrupts {
    /// At SIGINT, SIGTERM or SIGHUP calls `cleanUp` and ends the process with status 0. Works while the result is held.
    static func leave(_ cleanUp: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                cleanUp()
                Glibc.exit(0)
            }
            source.resume()
            return source
        }
    }
}
