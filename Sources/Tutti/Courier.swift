/// Brings calls to where a client wants them, one after the other: to a serial executor, or to the clock's own context.
final class Courier: Sendable {
    /// Isolated to somebody else's executor.
    private actor Gate {
        nonisolated let executor: any SerialExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(executor: any SerialExecutor) { self.executor = executor }

        func run(_ body: @Sendable () -> Void) { body() }
    }

    private let clock: PlaybackClock
    private let calls: AsyncStream<@Sendable () -> Void>.Continuation?

    init(executor: (any SerialExecutor)?, clock: PlaybackClock) {
        self.clock = clock
        guard let executor else {
            calls = nil
            return
        }
        let (stream, continuation) = AsyncStream<@Sendable () -> Void>.makeStream()
        calls = continuation
        let gate = Gate(executor: executor)
        Task {
            for await body in stream { await gate.run(body) }
        }
    }

    deinit { calls?.finish() }

    /// Makes a call soon; never from inside this function.
    func deliver(_ body: @escaping @Sendable () -> Void) {
        if let calls { calls.yield(body) } else { clock.soon(body) }
    }
}
