import Dispatch
import Glibc
import Synchronization
package import TuttiHost

/// Runs the decode workers of many renderers on a few threads.
///
/// What a worker decodes plays two seconds later, so it can wait for its turn; and a thread for each is a stack for
/// each, and memory that the C library keeps for each. A worker is on one thread for as long as it lives. Threads come
/// with workers, up to `maximum`; then a worker goes where the fewest are. A thread ends with its last worker.
package final class DecodeThreads: Sendable {
    /// Those of this process: one for each processor, from two to four.
    package static let shared = DecodeThreads(maximum: min(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 4))

    private struct Member {
        let thread: DecodeThread
        var workers: Int
    }

    private let maximum: Int
    private let members = Mutex<[Member]>([])

    /// At most `maximum` threads.
    package init(maximum: Int) { self.maximum = max(1, maximum) }

    /// Threads there are.
    package var count: Int { members.withLock { $0.count } }

    /// A place for one worker.
    ///
    /// - Throws: `HostError.system` when the kernel makes no thread.
    package func slot() throws(HostError) -> DecodeSlot {
        try members.withLock { members throws(HostError) in
            let index = members.indices.min { members[$0].workers < members[$1].workers }
            if let index, members.count >= maximum || members[index].workers == 0 {
                members[index].workers += 1
                return DecodeSlot(thread: members[index].thread, pool: self)
            }
            let thread = DecodeThread()
            _ = try RealtimeThread.spawn(name: "tutti-decode", priority: nil) { thread.runLoop() }
            members.append(Member(thread: thread, workers: 1))
            return DecodeSlot(thread: thread, pool: self)
        }
    }

    /// A worker has left `thread`.
    fileprivate func leave(_ thread: DecodeThread) {
        members.withLock { members in
            guard let index = members.firstIndex(where: { $0.thread === thread }) else { return }
            members[index].workers -= 1
            guard members[index].workers == 0 else { return }
            members.remove(at: index)
            thread.end()
        }
    }
}

/// A worker's place on a thread. The worker stays until `leave`.
package final class DecodeSlot: Sendable {
    private let thread: DecodeThread
    private let pool: DecodeThreads
    private let number: UInt64
    private let hasLeft = Mutex(false)

    fileprivate init(thread: DecodeThread, pool: DecodeThreads) {
        self.thread = thread
        self.pool = pool
        number = thread.number()
    }

    deinit { leave() }

    /// Lets the worker that `make` gives run, made on its thread.
    package func run(_ make: @escaping @Sendable () -> DecodeWorker) { thread.add(number, make) }

    /// Lets the worker look at once.
    package func wake() { thread.wake(number) }

    /// Ends the worker, and waits until it has. Not from one of the threads.
    package func leave() {
        let isFirst = hasLeft.withLock { hasLeft in
            defer { hasLeft = true }
            return !hasLeft
        }
        guard isFirst else { return }
        thread.remove(number)
        pool.leave(thread)
    }
}
