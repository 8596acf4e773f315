import CLinux
import Glibc
import Synchronization

/// Small files that are there whole or not at all, whenever the process or the power goes.
package enum AtomicFile {
    /// The largest file that is read: 64 MiB.
    package static let sizeLimit = 64 << 20

    private static let counter = Atomic<UInt64>(0)

    /// Replaces the file at `path` by one that holds `bytes`.
    ///
    /// - Parameters:
    ///   - mode: permissions of the file; by default its owner alone reads it.
    ///   - isDurable: true waits until the disk holds the new file, so that even a power cut leaves the old or the new
    ///     one; false only protects from this process's end.
    /// - Throws: `HostError.file` naming the path; the old file is untouched then.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, isDurable: Bool = true
    ) throws(HostError) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let number = counter.add(1, ordering: .relaxed).newValue
        let temporary = "\(directory)/.\(name).\(getpid()).\(number).tmp"
        let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .file(action: "write", path: path, code: errno) }
        FolderOwner.take(descriptor, madeIn: directory)
        var failure = OpenFiles.write(bytes, to: descriptor)
        if failure == 0, isDurable, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(temporary, path) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(temporary)
            throw .file(action: "write", path: path, code: failure)
        }
        if isDurable { synchronize(directory: directory) }
    }

    /// Removes the file at `path`, if there is one.
    ///
    /// - Throws: `HostError.file` naming the path.
    package static func remove(_ path: String) throws(HostError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .file(action: "remove", path: path, code: errno) }
    }

    /// The content of the file at `path`, or nil when there is none.
    ///
    /// - Throws: `HostError.file`, `HostError.fileTooLarge` above `sizeLimit`.
    package static func read(_ path: String) throws(HostError) -> [UInt8]? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .file(action: "read", path: path, code: errno) }
            return nil
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        while true {
            let chunk = 65_536
            var got = 0
            var code: Int32 = 0
            content.append(
                contentsOf: [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
                    got = Glibc.read(descriptor, buffer.baseAddress, chunk)
                    code = errno
                    count = max(got, 0)
                })
            if got == 0 { return content }
            if got < 0, code != EINTR { throw .file(action: "read", path: path, code: code) }
            if content.count > sizeLimit { throw .fileTooLarge(path: path, limit: sizeLimit) }
        }
    }

    /// Makes a rename durable. A file system that cannot do so has nothing better to offer, so failure is no error.
    private static func synchronize(directory: String) {
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
