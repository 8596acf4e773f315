import Glibc
import Synchronization

/// What other threads have for the one that turns a loop: they leave it here, and wake it.
package final class Mailbox<Content: Sendable>: Sendable {
    /// Readable while there is something.
    package let descriptor: Int32
    /// Wakes the loop, for a thread that may not wait.
    package let bell: Bell
    private let empty: Content
    private let content: Mutex<Content>

    /// - Parameter empty: what is there while there is nothing.
    package init(_ empty: Content) throws(HostError) {
        bell = try Bell()
        descriptor = bell.takeReadingEnd()
        self.empty = empty
        content = Mutex(empty)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Leaves something. What is there is to stay bounded, as by what was asked for.
    package func put(_ change: (inout Content) -> Void) {
        content.withLock { change(&$0) }
        bell.ring()
    }

    /// Takes what there is.
    package func take() -> Content {
        var bytes: (UInt64, UInt64) = (0, 0)
        _ = read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes))
        bell.answer()
        return content.withLock { content in
            defer { content = empty }
            return content
        }
    }
}
