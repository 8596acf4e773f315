import CLinux
import Glibc
import Synchronization

/// The price of RealtimeKit's help: a thread that runs for a fifth of a second without a pause is ended by the kernel,
/// with its process. Some time before, it loses its rights instead.
enum RealtimeBudget {
    /// Threads that are watched at most: a speaker has two.
    private static let capacity = 16

    /// Numbers of threads, 0 where there is none. A signal handler reads it: never freed.
    private struct Table: @unchecked Sendable {
        // Only atomics, at a place that never changes.
        let slots = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: RealtimeBudget.capacity)

        init() {
            for index in 0..<RealtimeBudget.capacity { (slots + index).initialize(to: Atomic(0)) }
        }
    }

    private static let table = Table()

    /// Sets the limit of this process.
    static func limit(microseconds: UInt64) -> Result<Void, RTKitRefusal> {
        var action = sigaction()
        // The table must be there before a handler looks into it.
        withExtendedLifetime(table) {}
        action.__sigaction_handler.sa_handler = { _ in RealtimeBudget.giveBack() }
        action.sa_flags = SA_RESTART
        guard sigaction(SIGXCPU, &action, nil) == 0 else {
            return .failure(RTKitRefusal(reason: HostError.text(ofErrno: errno)))
        }
        let code = tutti_limit_realtime(microseconds / 4 * 3, microseconds)
        guard code == 0 else { return .failure(RTKitRefusal(reason: HostError.text(ofErrno: code))) }
        return .success(())
    }

    /// Watches a thread that has been granted real-time scheduling.
    static func watch(_ thread: Int32) {
        for index in 0..<capacity {
            let (isMine, _) = table.slots[index].compareExchange(expected: 0, desired: thread, ordering: .relaxed)
            if isMine { return }
        }
    }

    /// Makes all watched threads ordinary ones; runs in a signal handler.
    private static func giveBack() {
        for index in 0..<capacity {
            let thread = table.slots[index].load(ordering: .relaxed)
            if thread != 0 { tutti_make_ordinary(thread) }
        }
    }
}
