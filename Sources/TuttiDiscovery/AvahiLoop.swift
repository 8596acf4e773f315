import CAvahi
import Glibc
import Synchronization

/// What an `AvahiLoop` drives. After `open` all calls come from the loop's thread.
protocol AvahiWork: AnyObject {
    /// Connects; called on the thread that makes the loop.
    func open(poll: UnsafePointer<AvahiPoll>) throws(DiscoveryError)
    /// Called after each turn of the loop; gives the milliseconds to the next call at the latest, or nil.
    func turn() -> Int32?
    /// Lets go of everything of Avahi's.
    func close()
}

/// A thread that runs Avahi's poll loop, so that every object of Avahi's is used by one thread alone.
final class AvahiLoop: Sendable {
    private struct Control: ~Copyable {
        /// The address of Avahi's poll object; nil once the thread has ended.
        var poll: UInt?
        var isStopping = false
    }

    private let control: Mutex<Control>

    /// Opens the work and starts the thread, which keeps itself and the work alive until `stop`.
    init(_ work: sending any AvahiWork) throws(DiscoveryError) {
        guard let poll = avahi_simple_poll_new(), let interface = avahi_simple_poll_get(poll) else {
            throw .resources("out of memory for Avahi's poll loop")
        }
        control = Mutex(Control(poll: UInt(bitPattern: poll)))
        do {
            try work.open(poll: interface)
        } catch {
            work.close()
            avahi_simple_poll_free(poll)
            throw error
        }
        let context = Unmanaged.passRetained(AvahiThreadContext(loop: self, poll: poll, work: work))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument {
                    Unmanaged<AvahiThreadContext>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            work.close()
            avahi_simple_poll_free(poll)
            throw .resources("cannot start a thread for Avahi's poll loop (error \(status))")
        }
        pthread_detach(thread)
    }

    /// Makes the loop take a turn.
    func wake() {
        control.withLock { control in
            if let address = control.poll { avahi_simple_poll_wakeup(OpaquePointer(bitPattern: address)) }
        }
    }

    /// Makes the thread let go of everything and end, soon; may be called from anywhere and more than once.
    func stop() {
        control.withLock { $0.isStopping = true }
        wake()
    }

    /// The time that waits are reckoned in, since an arbitrary origin.
    static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    fileprivate var isStopping: Bool { control.withLock { $0.isStopping } }

    /// Frees the poll object while nobody can be waking it.
    fileprivate func end() {
        control.withLock { control in
            if let address = control.poll { avahi_simple_poll_free(OpaquePointer(bitPattern: address)) }
            control.poll = nil
        }
    }
}

/// What the thread takes along.
private final class AvahiThreadContext {
    private let loop: AvahiLoop
    private let poll: OpaquePointer
    private let work: any AvahiWork

    init(loop: AvahiLoop, poll: OpaquePointer, work: any AvahiWork) {
        self.loop = loop
        self.poll = poll
        self.work = work
    }

    func run() {
        while !loop.isStopping {
            let milliseconds = work.turn() ?? -1
            if avahi_simple_poll_iterate(poll, milliseconds) != 0 { break }
        }
        work.close()
        loop.end()
    }
}
