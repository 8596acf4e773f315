import CLinux
import Glibc
import Synchronization

/// Threads that must not be late.
package enum RealtimeThread {
    /// How the kernel schedules a thread.
    package enum Policy: Sendable, Equatable {
        /// `SCHED_FIFO` at this priority: before everything ordinary.
        case fifo(priority: Int)
        /// `SCHED_RR` at this priority, by RealtimeKit's grace: as good, but below everything at a higher one.
        case kit(priority: Int)
        /// Ordinary; `refusal` is the `errno` with which real-time scheduling was refused, 0 when none was asked for.
        case ordinary(refusal: Int32)
    }

    /// What became of `lockMemory`.
    package enum MemoryLock: Sendable, Equatable {
        /// Pages stay in memory once they have been touched.
        case locked
        /// Not done, because the process may not lock without limit (`RLIMIT_MEMLOCK`, `CAP_IPC_LOCK`).
        case notPermitted
        /// The kernel refused with this `errno`.
        case refused(Int32)
    }

    /// Starts a thread.
    ///
    /// The thread has a stack of 1 MiB.
    ///
    /// - Parameters:
    ///   - name: shown by `ps` and debuggers; cut to 15 bytes.
    ///   - priority: for `SCHED_FIFO`, 1 … 99, clamped; nil for an ordinary thread. Where it is not permitted
    ///     (`RLIMIT_RTPRIO`, no `CAP_SYS_NICE`) the thread starts as an ordinary one, and RealtimeKit is asked
    ///     meanwhile; the handle says what came of it. Nothing waits for that.
    ///   - touchesStack: whether a thread with a priority touches its stack as far as 128 KiB before `body` runs, so
    ///     that it need not wait for memory later.
    /// - Throws: `HostError.system` when the kernel makes no thread at all.
    package static func spawn(
        name: String, priority: Int?, touchesStack: Bool = true, _ body: @escaping @Sendable () -> Void
    ) throws(HostError) -> ThreadHandle {
        let touchesStack = touchesStack && priority != nil
        var refusal: Int32 = 0
        if let priority {
            let clamped = min(max(priority, 1), 99)
            switch start(name: name, fifoPriority: Int32(clamped), touchesStack: touchesStack, body) {
            case .success(let thread):
                return ThreadHandle(thread: thread, grant: RealtimeGrant(.fifo(priority: clamped)))
            case .failure(let error): refusal = error.code
            }
        }
        let grant = RealtimeGrant(.ordinary(refusal: refusal), isSettled: priority == nil || refusal != EPERM)
        let asking: @Sendable () -> Void = {
            if let priority, !grant.isSettled {
                RTKit.shared.request(thread: tutti_thread_id(), priority: priority, grant: grant)
            }
            body()
        }
        switch start(name: name, fifoPriority: nil, touchesStack: touchesStack, asking) {
        case .success(let thread): return ThreadHandle(thread: thread, grant: grant)
        case .failure(let error): throw .system(action: "start thread \"\(name)\"", code: error.code)
        }
    }

    /// Keeps this process's pages in memory from when they are first touched on (not before, so the resident size does
    /// not grow). Best effort: done only where no limit on locked memory could later make an allocation fail.
    @discardableResult
    package static func lockMemory() -> MemoryLock {
        let isUnlimited = tutti_may_lock_without_limit() != 0
        let isPrivileged = tutti_effective_capabilities() & (1 << UInt32(CAP_IPC_LOCK)) != 0
        guard isUnlimited || isPrivileged else { return .notPermitted }
        guard tutti_mlockall_on_fault() == 0 else { return .refused(errno) }
        isMemoryLocked.store(true, ordering: .relaxed)
        return .locked
    }

    /// Whether `lockMemory` has locked this process's memory.
    static let isMemoryLocked = Atomic(false)

    /// Lets the calling thread sleep for about `nanoseconds`; a signal may end it early.
    package static func pause(nanoseconds: Int64) {
        guard nanoseconds > 0 else { return }
        var time = timespec()
        time.tv_sec = Int(nanoseconds / 1_000_000_000)
        time.tv_nsec = Int(nanoseconds % 1_000_000_000)
        nanosleep(&time, nil)
    }

    private struct StartFailure: Error { let code: Int32 }

    /// What a new thread is handed.
    private final class Start: Sendable {
        let name: String
        let touchesStack: Bool
        let body: @Sendable () -> Void

        init(name: String, touchesStack: Bool, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.touchesStack = touchesStack
            self.body = body
        }
    }

    private static func start(
        name: String, fifoPriority: Int32?, touchesStack: Bool, _ body: @escaping @Sendable () -> Void
    ) -> Result<pthread_t, StartFailure> {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 1 << 20)
        if let fifoPriority {
            var parameters = sched_param()
            parameters.sched_priority = fifoPriority
            pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
            pthread_attr_setschedpolicy(&attributes, SCHED_FIFO)
            pthread_attr_setschedparam(&attributes, &parameters)
        }
        let context = Unmanaged.passRetained(Start(name: name, touchesStack: touchesStack, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { raw in
                guard let raw else { return nil }
                let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
                _ = tutti_name_thread(start.name)
                if start.touchesStack { tutti_prefault_stack() }
                start.body()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return .failure(StartFailure(code: code))
        }
        return .success(thread)
    }
}

/// A running thread. It runs on when the handle goes away.
package final class ThreadHandle: Sendable {
    /// Whether it may run before others; known at once or, where RealtimeKit is asked, a little later.
    package let grant: RealtimeGrant
    private let thread: Mutex<pthread_t?>

    init(thread: pthread_t, grant: RealtimeGrant) {
        self.grant = grant
        self.thread = Mutex(thread)
    }

    /// How the kernel schedules it, as far as is known now.
    package var policy: RealtimeThread.Policy { grant.outcome.policy }

    deinit {
        if let left = thread.withLock({ $0 }) { pthread_detach(left) }
    }

    /// Waits until the thread has ended; at once when that has been waited for already.
    package func join() {
        let joined = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let joined { pthread_join(joined, nil) }
    }
}
