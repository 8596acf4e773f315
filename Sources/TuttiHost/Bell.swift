import CLinux
import Glibc
import Synchronization

/// Calls an event loop from a thread that may not wait, lock or allocate.
///
/// It is a pipe: a byte in it is a call. Who listens calls `answer` before it looks at what there is, so that nothing
/// is missed; until then more calls are one.
package final class Bell: Sendable {
    private let ends: (reading: Int32, writing: Int32)
    private let isRung = Atomic<Bool>(false)
    private let isReadElsewhere = Atomic<Bool>(false)

    /// A bell that nobody listens to yet.
    ///
    /// - Throws: `HostError.system` when the kernel makes no pipe.
    package init() throws(HostError) {
        var pair: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutablePointer(to: &pair) {
            $0.withMemoryRebound(to: Int32.self, capacity: 2) { tutti_pipe($0) }
        }
        guard result == 0 else { throw .system(action: "create a pipe", code: errno) }
        ends = pair
    }

    deinit {
        if !isReadElsewhere.load(ordering: .relaxed) { close(ends.reading) }
        close(ends.writing)
    }

    /// The descriptor at which calls can be read; whoever takes it closes it, and outlives who rings. To be called
    /// once.
    package func takeReadingEnd() -> Int32 {
        isReadElsewhere.store(true, ordering: .relaxed)
        return ends.reading
    }

    /// Calls whoever listens. RT: at most one system call, which does not wait.
    package func ring() {
        guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 0
        _ = write(ends.writing, &byte, 1)
    }

    /// From here on calls are new ones. By the listener.
    package func answer() { isRung.store(false, ordering: .sequentiallyConsistent) }
}
