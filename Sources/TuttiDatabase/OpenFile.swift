import Glibc
import Synchronization

/// A store's file that this process has open, for as long as this object.
///
/// Whoever closes any descriptor of a file gives up all locks that its process has on it (POSIX), those of SQLite among
/// them: another process would take itself for the last user then, and remove the log that this one still writes to. So
/// a file that is open is not opened a second time but by SQLite, which knows.
package final class OpenFile: Sendable {
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, inode) = (status.st_dev, status.st_ino)
        }
    }

    private static let open = Mutex<[Identity: Int]>([:])

    /// Whether this process has the file at `path` open.
    package static func isOpen(_ path: String) -> Bool {
        Identity(path).map { identity in open.withLock { $0[identity] != nil } } ?? false
    }

    private let identity: Identity

    /// Nil where there is no file.
    package init?(_ path: String) {
        guard let identity = Identity(path) else { return nil }
        self.identity = identity
        Self.open.withLock { $0[identity, default: 0] += 1 }
    }

    deinit {
        Self.open.withLock { open in
            let count = (open[identity] ?? 1) - 1
            open[identity] = count > 0 ? count : nil
        }
    }
}
