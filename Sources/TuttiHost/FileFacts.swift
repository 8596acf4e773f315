import CLinux
import Glibc

/// What a file system says of a file, and of itself.
package struct FileFacts: Sendable, Equatable {
    package let bytes: Int
    /// When it was written last, in seconds since 1970.
    package let modified: Int

    /// - Returns: nil for what is no regular file; a link is none.
    package init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        (bytes, modified) = (Int(status.st_size), Int(status.st_mtim.tv_sec))
    }

    /// The names in a folder, hidden ones too; empty for one that cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Bytes that the file system of `path` has left for this user; as many as there can be if it does not say.
    package static func freeBytes(at path: String) -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return .max }
        return Int(clamping: UInt64(clamping: status.f_bavail).multipliedFullWidth(by: UInt64(status.f_frsize)).low)
    }
}
