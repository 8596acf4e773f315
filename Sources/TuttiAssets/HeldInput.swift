import Glibc

/// A pipe or device that is held open without being read: whoever writes there has a reader until the player is one.
final class HeldInput: Sendable {
    /// Does not block; open for as long as this object is.
    let descriptor: Int32

    private static let pollMilliseconds = 100

    /// Opens it, whether or not somebody writes there already.
    init(path: String) throws(AssetError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw LocalFile.failure(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether there is something to read, or nothing will be, within so many milliseconds.
    func isReadable(within milliseconds: Int, interrupter: Interrupter) -> Bool {
        for _ in 0..<max(1, milliseconds / Self.pollMilliseconds) where !interrupter.wasInterrupted {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, Int32(Self.pollMilliseconds)) > 0 { return true }
        }
        return false
    }
}
