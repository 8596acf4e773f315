import Dispatch

/// Brings calls to where a client wants them, one after the other.
final class Courier: Sendable {
    /// Where a client wants its calls.
    enum Target {
        /// The clock's own context, where nothing may block.
        case clock(PlaybackClock)
        case executor(any SerialExecutor)
        /// A serial one.
        case queue(DispatchQueue)
        case main

        /// The executor, or without one the clock's own context.
        init(_ executor: (any SerialExecutor)?, clock: PlaybackClock) {
            self = executor.map(Target.executor) ?? .clock(clock)
        }
    }

    /// Isolated to somebody else's executor.
    private actor Gate {
        nonisolated let executor: any SerialExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(executor: any SerialExecutor) { self.executor = executor }

        func run(_ body: @Sendable () -> Void) { body() }
    }

    private enum Way {
        case clock(PlaybackClock)
        case queue(DispatchQueue)
        case calls(AsyncStream<@Sendable () -> Void>.Continuation)
    }

    private let way: Way

    init(_ target: Target) {
        switch target {
        case .clock(let clock): way = .clock(clock)
        case .queue(let queue): way = .queue(queue)
        case .executor(let executor):
            let (stream, continuation) = AsyncStream<@Sendable () -> Void>.makeStream()
            way = .calls(continuation)
            let gate = Gate(executor: executor)
            Task {
                for await body in stream { await gate.run(body) }
            }
        case .main:
            let (stream, continuation) = AsyncStream<@Sendable () -> Void>.makeStream()
            way = .calls(continuation)
            Task { @MainActor in
                for await body in stream { body() }
            }
        }
    }

    /// For work of one's own: on a queue, and on a manual clock whenever that is moved, so that the same calls give the
    /// same.
    convenience init(workOn clock: PlaybackClock, label: String) {
        self.init(clock.isManual ? .clock(clock) : .queue(DispatchQueue(label: label)))
    }

    deinit {
        if case .calls(let calls) = way { calls.finish() }
    }

    /// Makes a call soon; never from inside this function.
    func deliver(_ body: @escaping @Sendable () -> Void) {
        switch way {
        case .clock(let clock): clock.soon(body)
        case .queue(let queue): queue.async(execute: body)
        case .calls(let calls): calls.yield(body)
        }
    }
}
