import Glibc
package import TuttiHost

/// Where files lie that were sent: each in a folder of its own, under its own name. A folder whose name begins with a
/// dot is one that is still coming, and locked by the process that writes it.
///
/// Its functions block; they are for a thread of their own.
package struct UploadFolder: Sendable {
    private static let coming = ".new-"

    /// An absolute path.
    package let path: String

    /// Makes the folder below a state folder, and removes what a process that was killed has left there.
    ///
    /// - Throws: `HostError` when it cannot be made.
    package init(stateDirectory: String) throws(HostError) {
        try StatePaths.prepare(stateDirectory + "/uploads")
        path = Self.path(inStateDirectory: stateDirectory)
        for name in FileFacts.names(in: path) where name.hasPrefix(Self.coming) { removeLeftover(path + "/" + name) }
    }

    /// The folder's path, absolute if the state folder exists.
    static func path(inStateDirectory folder: String) -> String {
        guard let resolved = realpath(folder, nil) else { return folder + "/uploads" }
        defer { free(resolved) }
        return String(cString: resolved) + "/uploads"
    }

    private func removeLeftover(_ folder: String) {
        guard let lock = FileLock(directory: folder, patience: 0) else { return }
        Self.remove(folder)
        withExtendedLifetime(lock) {}
    }

    /// What is there.
    package func uploads() -> [Upload] {
        FileFacts.names(in: path).filter { !$0.hasPrefix(".") }.flatMap { folder in
            FileFacts.names(in: "\(path)/\(folder)").compactMap { name in
                let file = "\(path)/\(folder)/\(name)"
                return FileFacts(path: file).map { Upload(path: file, bytes: $0.bytes, time: $0.modified) }
            }
        }
    }

    /// Removes a file and its folder.
    package func remove(_ upload: Upload) {
        guard upload.path.hasPrefix(path + "/"), let slash = upload.path.lastIndex(of: "/") else { return }
        Self.remove(String(upload.path[..<slash]))
    }

    /// Bytes that the disk has left for this user.
    package var freeBytes: Int { FileFacts.freeBytes(at: path) }

    /// Begins a file.
    ///
    /// - Throws: `HostError.file`.
    package func begin(_ name: String) throws(HostError) -> ComingUpload {
        var generator = SystemRandomNumberGenerator()
        let id = String(generator.next() as UInt64 | 1 << 63, radix: 16)
        return try ComingUpload(name, folder: "\(path)/\(Self.coming)\(id)", lasting: "\(path)/\(id)")
    }

    static func remove(_ folder: String) {
        for name in FileFacts.names(in: folder) { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}

/// A file that is just coming. Whoever has it ends it, by `keep` or `discard`.
package struct ComingUpload: Sendable {
    private let folder: String
    private let lasting: String
    private let name: String
    private let descriptor: Int32
    private let lock: FileLock?

    fileprivate init(_ name: String, folder: String, lasting: String) throws(HostError) {
        (self.name, self.folder, self.lasting) = (name, folder, lasting)
        guard mkdir(folder, 0o700) == 0 else { throw .file(action: "create", path: folder, code: errno) }
        lock = FileLock(directory: folder, patience: 0)
        descriptor = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            rmdir(folder)
            throw .file(action: "create", path: name, code: code)
        }
    }

    /// Where it is now.
    package var path: String { "\(folder)/\(name)" }

    /// - Throws: `HostError.file`, whose code is ENOSPC or EDQUOT for a full disk.
    package func write(_ bytes: [UInt8]) throws(HostError) {
        let code = OpenFiles.write(bytes, to: descriptor)
        guard code == 0 else { throw .file(action: "write", path: name, code: code) }
    }

    /// Keeps it.
    ///
    /// - Returns: where it is from now on.
    /// - Throws: `HostError.file`; nothing is left then.
    package func keep() throws(HostError) -> String {
        close(descriptor)
        guard rename(folder, lasting) == 0 else {
            let code = errno
            UploadFolder.remove(folder)
            throw .file(action: "keep", path: name, code: code)
        }
        return "\(lasting)/\(name)"
    }

    /// Removes it.
    package func discard() {
        close(descriptor)
        UploadFolder.remove(folder)
    }
}
