import CLinux
import Glibc
import TuttiPOSIX

/// Where this user's Tutti keeps things.
package struct StatePaths: Sendable, Equatable {
    /// What must survive: identity, rooms, queue.
    package let stateDirectory: String
    /// What lives as long as the login: sockets.
    package let runtimeDirectory: String
    /// Where configuration is looked for; earlier ones win.
    package let configDirectories: [String]

    /// The directories that `environment` asks for.
    ///
    /// State: `stateDirectory` when given (a `--state-dir` flag), `$TUTTI_STATE_DIR`, `$STATE_DIRECTORY` (systemd),
    /// `$XDG_STATE_HOME/tutti`, `/var/lib/tutti` for root, `$HOME/.local/state/tutti`.
    /// Runtime: as `RuntimeDirectory` says.
    /// Configuration: `$XDG_CONFIG_HOME/tutti` or `$HOME/.config/tutti`, then `/etc/tutti`.
    /// As the XDG base directory specification says, relative paths count as not set.
    package init(environment: [String: String], stateDirectory: String? = nil, userID: UInt32 = getuid()) {
        func absolute(_ name: String, _ suffix: String = "") -> String? {
            // systemd separates several directories by colons; the first is ours.
            guard let value = environment[name]?.split(separator: ":").first, value.hasPrefix("/") else { return nil }
            return value + suffix
        }
        let isRoot = userID == 0
        let home = absolute("HOME")
        let temporary = "/tmp/tutti-\(userID)"
        self.stateDirectory =
            stateDirectory ?? absolute("TUTTI_STATE_DIR") ?? absolute("STATE_DIRECTORY")
            ?? absolute("XDG_STATE_HOME", "/tutti") ?? (isRoot ? "/var/lib/tutti" : nil)
            ?? home.map { $0 + "/.local/state/tutti" } ?? temporary + "/state"
        runtimeDirectory = RuntimeDirectory.path(environment: environment, userID: userID)
        let user = absolute("XDG_CONFIG_HOME", "/tutti") ?? home.map { $0 + "/.config/tutti" }
        configDirectories = [user, "/etc/tutti"].compactMap(\.self)
    }

    /// Makes `path` and what leads to it, for this user alone (0700), and checks that nobody else owns it: in `/tmp`
    /// anybody could have made it before. What root makes in another user's folder is that user's.
    ///
    /// - Throws: `HostError.file` when it cannot be made; `HostError.unusableDirectory` when it is not ours.
    package static func prepare(_ path: String) throws(HostError) {
        var end = path.startIndex
        while end != path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let part = String(path[..<end])
            if mkdir(part, 0o700) == 0 {
                FolderOwner.take(folder: part, madeIn: part.lastIndex(of: "/").map { String(part[..<$0]) } ?? ".")
                continue
            }
            guard errno != EEXIST else { continue }
            // A parent that cannot be made may be there all the same (EROFS, EACCES): the last one decides.
            if end == path.endIndex || errno == ENOENT { throw .file(action: "create", path: part, code: errno) }
        }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .file(action: "inspect", path: path, code: errno) }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard status.st_uid == getuid() || status.st_uid == 0 else {
                throw .unusableDirectory(path: path, reason: "it is a symbolic link of another user")
            }
            guard stat(path, &status) == 0 else { throw .file(action: "inspect", path: path, code: errno) }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .unusableDirectory(path: path, reason: "it is not a directory")
        }
        guard status.st_uid == getuid() || getuid() == 0 else {
            throw .unusableDirectory(path: path, reason: "another user owns it")
        }
    }
}
