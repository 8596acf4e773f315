import Glibc

/// A lock on a file that ends with this object, or with the process, however that ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of the file at `path`, which is made if need be; nil when another process has it.
    ///
    /// - Throws: `HostError.file` when the file can be neither made nor opened.
    package init?(path: String) throws(HostError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(action: "open", path: path, code: errno) }
        // Whoever fails from here on is deinitialised, which closes.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    /// Takes the lock of a directory, by which processes that make the same files in it take turns; there is no file
    /// for it.
    ///
    /// Not every file system has such locks: nil then, and when another process has it for longer than `patience`
    /// seconds.
    package init?(directory: String, patience: Double) {
        descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let end = ContinuousClock.now + .seconds(patience)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard [EWOULDBLOCK, EINTR].contains(errno), ContinuousClock.now < end else { return nil }
            usleep(2000)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
