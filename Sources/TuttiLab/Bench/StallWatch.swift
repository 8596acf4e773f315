import Foundation
import Glibc
import Synchronization

/// Notices when this machine stands still for longer than a sound card's buffer lasts: shared hosts do that to their
/// virtual machines now and then, and no program on them can do anything about it. It also notices when ordinary
/// threads are kept waiting, as they are beside a compiler.
///
/// Two threads sleep for some milliseconds over and over and look at how late they wake: one that comes before all
/// ordinary ones where that is permitted, and an ordinary one.
package final class StallWatch: Sendable {
    /// How late a prompt wake-up is a stall, in ns: what the cards' 40 ms bear, less a period.
    private static let limit: Int64 = 20_000_000
    /// How late an ordinary one is, in ns: half of what tests in real time allow a step.
    private static let ordinaryLimit: Int64 = 40_000_000
    private static let nap: UInt32 = 5_000

    private let worst = Atomic<Int64>(0)
    private let worstOrdinary = Atomic<Int64>(0)
    private let isOver = Atomic<Bool>(false)

    package init() {
        Thread.detachNewThread { [self] in
            // Where it is not permitted the thread stays an ordinary one, which notices no less.
            var parameters = sched_param(sched_priority: 40)
            pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
            look { worst.max($0, ordering: .relaxed) }
        }
        Thread.detachNewThread { [self] in look { worstOrdinary.max($0, ordering: .relaxed) } }
    }

    /// Whether so long a stall spoils a measurement.
    package static func isStall(milliseconds: Double) -> Bool { milliseconds * 1e6 > Double(limit) }

    /// Whether the machine has stood still since this watch began.
    package var hasStalled: Bool { worst.load(ordering: .relaxed) > Self.limit }

    /// Whether the machine has stood still, or has kept ordinary threads waiting, since this watch began.
    package var hasDisturbed: Bool { hasStalled || worstOrdinary.load(ordering: .relaxed) > Self.ordinaryLimit }

    /// Milliseconds of the longest stall.
    package var milliseconds: Double { Double(worst.load(ordering: .relaxed)) / 1e6 }

    /// The longest that either thread waited, in words.
    package var summary: String {
        let ordinary = Double(worstOrdinary.load(ordering: .relaxed)) / 1e6
        return "the machine stalled for up to \(milliseconds.text(0)) ms, programs waited up to \(ordinary.text(0)) ms"
    }

    /// Ends the watch.
    package func end() { isOver.store(true, ordering: .relaxed) }

    private func look(_ note: (Int64) -> Void) {
        while !isOver.load(ordering: .relaxed) {
            let before = MonotonicRaw.now()
            usleep(Self.nap)
            note(MonotonicRaw.now() - before - Int64(Self.nap) * 1_000)
        }
    }
}
