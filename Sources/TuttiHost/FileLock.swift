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
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}
