import Glibc
import TuttiHost

/// Pictures of what plays, as files that every program of this session can read. They are removed at the end.
///
/// Another program makes them: a damaged or hostile picture harms nothing here.
struct ArtworkFiles: Sendable {
    /// The longer side of a picture, in pixels.
    private static let side = 512
    /// Bytes of one picture, and seconds that making it may take.
    private static let (mostBytes, patience) = (4 << 20, 10.0)

    private let directory: String
    private let player: String

    /// - Parameters:
    ///   - directory: where they are; it is made, for this user alone.
    ///   - player: `tutti-player`, which makes them.
    /// - Throws: that the directory cannot be made.
    init(directory: String, player: String) throws(HostError) {
        try StatePaths.prepare(directory)
        (self.directory, self.player) = (directory, player)
        // What a process has left that could not remove it.
        remove { process in process != getpid() && kill(process, 0) != 0 && errno == ESRCH }
    }

    /// Makes the picture of a music file.
    ///
    /// - Parameter number: another one each time: programs keep what they once read from an address.
    /// - Returns: the path of the picture; nil if there is none.
    func make(of file: String, number: UInt64) async -> String? {
        let bytes = await ChildProgram.output(
            of: [player, "artwork", "--size", "\(Self.side)", "--", file], limit: Self.mostBytes,
            within: Self.patience)
        guard let bytes, !bytes.isEmpty else { return nil }
        let path = "\(directory)/\(getpid())-\(number).jpg"
        do {
            try AtomicFile.write(bytes, to: path, isDurable: false)
            return path
        } catch {
            return nil
        }
    }

    /// Removes a picture.
    func remove(_ path: String) { unlink(path) }

    /// Removes all that this process has made.
    func removeAll() {
        remove { $0 == getpid() }
        rmdir(directory)
    }

    /// Removes the pictures of some processes.
    private func remove(ofProcess isMeant: (pid_t) -> Bool) {
        guard let folder = opendir(directory) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let parts = name.split(separator: "-")
            guard name.hasSuffix(".jpg"), parts.count == 2, let process = pid_t(parts[0]), isMeant(process) else {
                continue
            }
            unlink("\(directory)/\(name)")
        }
    }
}
