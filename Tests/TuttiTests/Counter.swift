import Synchronization

/// Counts calls, wherever they come from.
final class Counter: Sendable {
    private let value = Mutex(0)

    /// Counts one more, and gives how many there were before.
    @discardableResult
    func take() -> Int {
        value.withLock { value in
            value += 1
            return value - 1
        }
    }

    var count: Int { value.withLock { $0 } }
}
