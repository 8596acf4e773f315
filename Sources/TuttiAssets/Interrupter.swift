import Glibc
import Synchronization

/// Makes blocking input give up, from any thread: at once, or at a deadline.
package final class Interrupter: Sendable {
    private let isInterrupted = Atomic(false)
    private let deadline = Atomic(Int64.max)

    /// One that lets everything go on.
    package init() {}

    /// Stops whatever reads under this interrupter, now and later.
    package func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

    /// Whether `interrupt` was called.
    package var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }

    /// Gives reading `nanoseconds` from now; nil for as long as it takes.
    func allow(nanoseconds: Int64?) {
        deadline.store(nanoseconds.map { Self.now() + $0 } ?? .max, ordering: .relaxed)
    }

    /// Whether the time allowed is over.
    var isOverdue: Bool {
        let limit = deadline.load(ordering: .relaxed)
        return limit != .max && Self.now() > limit
    }

    var shouldStop: Bool { wasInterrupted || isOverdue }

    /// Gives reading `seconds` from now.
    func allow(seconds: Double) { allow(nanoseconds: Int64(seconds * 1e9)) }

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
