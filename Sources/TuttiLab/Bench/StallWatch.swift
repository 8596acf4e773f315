import Glibc
import Synchronization

/// Notices when this machine stands still for longer than a sound card's buffer lasts: shared hosts do that to their
/// virtual machines now and then, and no program on them can do anything about it.
///
/// A thread, before all ordinary ones where that is permitted, sleeps for some milliseconds over and over and looks at how
/// late it wakes.
package final class StallWatch: Sendable {
    /// How late a wake-up is a stall, in ns: what the cards' 40 ms bear, less a period.
    private static let limit: Int64 = 20_000_000
    private static let nap: UInt32 = 5_000

    private let worst = Atomic<Int64>(0)
    private let isOver = Atomic<Bool>(false)

    package init() {
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
            raw.map { Unmanaged<StallWatch>.fromOpaque($0).takeRetainedValue().look() }
            return nil
        }
        if pthread_create(&thread, nil, body, context.toOpaque()) == 0 {
            pthread_detach(thread)
        } else {
            context.release()
        }
    }

    /// Whether so long a stall spoils a measurement.
    package static func isStall(milliseconds: Double) -> Bool { milliseconds * 1e6 > Double(limit) }

    /// Whether the machine has stood still since this watch began.
    package var hasStalled: Bool { worst.load(ordering: .relaxed) > Self.limit }

    /// Milliseconds of the longest stall.
    package var milliseconds: Double { Double(worst.load(ordering: .relaxed)) / 1e6 }

    /// Ends the watch.
    package func end() { isOver.store(true, ordering: .relaxed) }

    private func look() {
        // Where it is not permitted the thread stays an ordinary one, which notices no less.
        var parameters = sched_param(sched_priority: 40)
        pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        while !isOver.load(ordering: .relaxed) {
            let before = MonotonicRaw.now()
            usleep(Self.nap)
            let late = MonotonicRaw.now() - before - Int64(Self.nap) * 1_000
            if late > worst.load(ordering: .relaxed) { worst.store(late, ordering: .relaxed) }
        }
    }
}
