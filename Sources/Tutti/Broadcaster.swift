import Synchronization

/// Hands values to whoever listens; each listener gets the newest 64 that it has not taken.
final class Broadcaster<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextNumber = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    deinit { finish() }

    /// What is sent from now on, after `first` if there is one.
    func subscribe(beginningWith first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(64))
        if let first { continuation.yield(first) }
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.listeners[state.nextNumber] = continuation
            state.nextNumber += 1
            return state.nextNumber - 1
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ value: Element) {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.yield(value) }
    }

    /// Nothing more is sent.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return state.listeners.values.map(\.self)
        }
        for listener in listeners { listener.finish() }
    }
}
