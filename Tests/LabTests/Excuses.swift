import Synchronization

/// Counts the failures of an attempt that a stall excuses.
final class Excuses: Sendable {
    private let count = Atomic<Int>(0)

    /// Whether there was one.
    var isAny: Bool { count.load(ordering: .relaxed) > 0 }

    /// Notes one; always true.
    func note() -> Bool {
        count.wrappingAdd(1, ordering: .relaxed)
        return true
    }
}
