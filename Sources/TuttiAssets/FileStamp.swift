import Glibc

/// What tells one content of a file from another without reading it.
package struct FileStamp: Sendable, Hashable {
    /// The file's path, without links.
    package let path: String
    /// Bytes.
    package let size: Int64
    /// When it was written last, in nanoseconds since 1970; wraps around for a time that does not fit.
    package let modified: Int64

    /// The stamp of a regular file; nil for anything else.
    package init?(of path: String) {
        guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = String(cString: resolved)
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }
}
