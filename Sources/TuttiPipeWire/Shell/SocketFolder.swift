import Glibc
package import TuttiHost

/// Where the sockets are from which a service reads samples.
package enum SocketFolder {
    private static let shared = SoundFolder.shared

    /// Beside the control socket of this user's own service; for the host's service, this user's part of a folder that
    /// both can use.
    package static func usual(besides controlSocket: String, userID: UInt32 = getuid()) -> String {
        let folder = controlSocket.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        var status = stat()
        guard stat(folder, &status) == 0, status.st_uid != userID, stat(shared, &status) == 0 else { return folder }
        return "\(shared)/\(userID)"
    }

    /// Makes the folder. In one that belongs to a group, the group may come in, as the service does.
    package static func prepare(_ folder: String) throws(HostError) {
        let parent = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var status = stat()
        if stat(parent, &status) == 0, status.st_mode & S_ISGID != 0 {
            let mask = umask(0o027)
            mkdir(folder, 0o750)
            umask(mask)
        }
        try StatePaths.prepare(folder)
    }
}
