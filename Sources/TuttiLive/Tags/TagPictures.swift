import Glibc
package import TuttiAssets
package import TuttiHost

/// The pictures of what live sources play, as files that the programs beside the service read. Named by what is in them:
/// whoever keeps one by its path never shows another. Used by one thread.
package final class TagPictures {
    /// Pictures that are kept: the sound of the last ones may still be on its way.
    private static let most = 4

    private let directory: String
    private let prefix: String
    private let mode: UInt32
    /// The latest last.
    private var paths: [String] = []

    /// - Parameters:
    ///   - directory: where they are; it is made, for those who may open the folder that it is in.
    ///   - prefix: of the files' names.
    /// - Throws: that the directory cannot be made.
    package init(in directory: String, prefix: String) throws(HostError) {
        (self.directory, self.prefix) = (directory, prefix)
        try StatePaths.prepare(directory)
        var parent = stat()
        let folder = directory.lastIndex(of: "/").map { String(directory[..<$0]) } ?? "."
        let isShared = stat(folder, &parent) == 0 && parent.st_mode & 0o050 == 0o050
        if isShared { chmod(directory, 0o750) }
        mode = isShared ? 0o640 : 0o600
        removeAll()
    }

    deinit { removeAll() }

    /// Keeps a picture.
    ///
    /// - Returns: the path of its file.
    package func keep(_ picture: AssetInfo.Artwork) throws(HostError) -> String {
        let path = "\(directory)/\(prefix)-\(Self.mark(of: picture.data))"
        if let index = paths.firstIndex(of: path) {
            paths.append(paths.remove(at: index))
            return path
        }
        try AtomicFile.write(picture.data, to: path, mode: mode, isDurable: false)
        chmod(path, mode_t(mode))
        paths.append(path)
        if paths.count > Self.most { unlink(paths.removeFirst()) }
        return path
    }

    /// FNV-1a of 64 bits.
    private static func mark(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }

    /// Removes all of this prefix: an earlier process may have left some.
    private func removeAll() {
        guard let folder = opendir(directory) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(prefix + "-") { unlink("\(directory)/\(name)") }
        }
        paths = []
    }
}
