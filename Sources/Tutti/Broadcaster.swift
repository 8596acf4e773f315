import Synchronization

/// Hands values to whoever listens; each listener gets the newest 64 that it has not taken.
final class Broadcaster<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    deinit {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.finish() }
    }

    /// What is sent from now on.
    func subscribe() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let number = state.withLock { state in
            state.listeners[state.nextNumber] = continuation
            state.nextNumber += 1
            return state.nextNumber - 1
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ value: Element) {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.yield(value) }
    }
}
