import Synchronization
import TuttiLab

/// Notices when tasks are kept waiting: all tests of a process share a few threads, and one that blocks one of them
/// keeps the others' tasks from going on, though threads of their own are scheduled as ever.
final class PoolWatch: Sendable {
    /// How late a task may go on, in ns: what ordinary threads may.
    private static let limit: Int64 = 40_000_000
    private static let nap = Duration.milliseconds(5)

    private let worst = Atomic<Int64>(0)
    private let isOver = Atomic<Bool>(false)

    init() {
        Task.detached { [self] in
            while !isOver.load(ordering: .relaxed) {
                let before = ContinuousClock.now
                try await Task.sleep(for: Self.nap)
                note(ContinuousClock.now - before - Self.nap)
            }
        }
    }

    /// Whether tasks have been kept waiting since this watch began.
    var hasDisturbed: Bool { worst.load(ordering: .relaxed) > Self.limit }

    /// The longest that a task waited, in words.
    var summary: String {
        "tasks waited up to \((Double(worst.load(ordering: .relaxed)) / 1e6).text(0)) ms"
    }

    /// Ends the watch.
    func end() { isOver.store(true, ordering: .relaxed) }

    private func note(_ late: Duration) {
        worst.max(Int64(late / .nanoseconds(1)), ordering: .relaxed)
    }
}
