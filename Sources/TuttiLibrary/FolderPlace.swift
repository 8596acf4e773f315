import Glibc
import TuttiHost

/// A folder that can be read, and what tells it from others.
struct FolderPlace {
    /// Without links.
    let path: String
    let device: Int64
    let inode: Int64

    /// - Throws: `.folder` with the reason.
    init(_ folder: String) throws(LibraryError) {
        guard !folder.isEmpty, !folder.utf8.contains(0), let resolved = realpath(folder, nil) else {
            throw .folder(folder, reason: folder.isEmpty ? "it has no name" : HostError.text(ofErrno: errno))
        }
        defer { free(resolved) }
        guard let path = String(validatingCString: resolved) else {
            throw .folder(folder, reason: "its path is not UTF-8; rename it")
        }
        var status = stat()
        guard stat(path, &status) == 0, let directory = opendir(path) else {
            throw .folder(path, reason: HostError.text(ofErrno: errno))
        }
        closedir(directory)
        self.path = path
        (device, inode) = (Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino))
    }

    /// Whether there is no such folder, or nothing in it, as in a mount point whose share is gone.
    static func isGone(_ path: String) -> Bool {
        guard let directory = opendir(path) else { return true }
        defer { closedir(directory) }
        var count = 0
        while count <= 2, readdir(directory) != nil { count += 1 }
        return count <= 2
    }
}
