import Dispatch
import Glibc

/// The signals that end a program which runs until it is told to stop. After the first one, another ends the process at
/// once.
///
/// They are caught from the making of a value on, for as long as it is there.
package struct StopSignals {
    /// What ends a daemon; SIGHUP is not among it.
    package static let ofDaemon = [SIGINT, SIGTERM]
    /// What ends a program at a terminal: also that the terminal goes.
    package static let ofTerminal = [SIGINT, SIGTERM, SIGHUP]

    private let sources: [any DispatchSourceSignal]
    private let arrivals: AsyncStream<Void>

    /// Begins to catch `numbers`, and calls `action` at the first of them, on a thread of its own.
    package init(_ numbers: [Int32] = ofDaemon, action: @escaping @Sendable () -> Void = {}) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        arrivals = stream
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                for number in numbers { signal(number, SIG_DFL) }
                action()
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
