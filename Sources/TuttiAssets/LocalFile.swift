import Glibc

/// What the file system says of a path.
enum LocalFile {
    /// The kind of thing a path leads to, links followed.
    enum Kind: Equatable {
        case file(size: Int)
        case folder(FolderID)
        /// A pipe, socket or device.
        case other

        /// What tells one folder from another, by whatever links it is reached.
        struct FolderID: Hashable {
            let device: UInt64
            let number: UInt64
        }
    }

    /// - Throws: `.notFound`, or `.unreadable` with the system's reason.
    static func kind(of path: String) throws(AssetError) -> Kind {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .notFound(path) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(size: Int(status.st_size))
        case S_IFDIR: return .folder(Kind.FolderID(device: UInt64(status.st_dev), number: UInt64(status.st_ino)))
        default: return .other
        }
    }

    /// Makes sure that there is a file with something in it that may be read.
    static func check(_ path: String) throws(AssetError) {
        switch try kind(of: path) {
        case .folder: throw .isDirectory(path)
        case .file(size: 0): throw .empty(path)
        case .file, .other: break
        }
        guard access(path, R_OK) == 0 else { throw failure(path) }
    }

    /// The whole of a small text file.
    ///
    /// - Throws: `.badPlaylist` for one larger than `maximumTextBytes`.
    static func text(of path: String) throws(AssetError) -> [UInt8] {
        try check(path)
        guard let bytes = try bytes(of: path, limit: maximumTextBytes) else {
            throw .badPlaylist(path, reason: "the playlist is too long")
        }
        return bytes
    }

    /// The whole of a file; nil if it has more bytes than `limit`.
    static func bytes(of path: String, limit: Int) throws(AssetError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                initialized = max(0, count)
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw failure(path) }
            if count == 0 { return bytes }
            bytes += chunk
            guard bytes.count <= limit else { return nil }
        }
    }

    /// The first bytes of a file, or fewer.
    static func beginning(of path: String, count: Int) throws(AssetError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = max(0, read(descriptor, buffer.baseAddress, count))
        }
    }

    /// The longest playlist or cue sheet that is read.
    static let maximumTextBytes = 16 << 20

    /// What `errno` says of `path`.
    static func failure(_ path: String) -> AssetError {
        switch errno {
        case ENOENT, ENOTDIR: .notFound(path)
        case let code: .unreadable(path, reason: String(cString: strerror(code)))
        }
    }
}
