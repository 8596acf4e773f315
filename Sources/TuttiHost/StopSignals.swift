import Dispatch
import Glibc

/// SIGINT and SIGTERM, which end a program that runs until it is told to stop. A second one of the same kind ends the process at once.
///
/// They are caught from the making of a value on, for as long as it is there.
package struct StopSignals {
    private let sources: [any DispatchSourceSignal]
    private let arrivals: AsyncStream<Void>

    /// Begins to catch them.
    package init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        arrivals = stream
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield()
            }
            source.resume()
            return source
        }
    }

    /// Waits for the first of them.
    package func first() async {
        for await _ in arrivals { break }
        withExtendedLifetime(sources) {}
    }
}
