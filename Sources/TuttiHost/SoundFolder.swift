import Glibc

/// Where programs of a session have sockets from which a service reads sound.
package enum SoundFolder {
    /// Where the package lets members of the group `tutti` make sockets that the host's service can open. It cannot open
    /// what is in a user's own folders.
    package static let shared = "/run/tutti-sound"

    /// Characters of a name: with its folder, it is a socket's path.
    private static let longest = 64
    private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")

    /// Whether an input can be called so: its name is a part of a file's.
    package static func isName(_ name: String) -> Bool {
        (1...longest).contains(name.utf8.count) && name.allSatisfy(letters.contains) && !name.hasPrefix(".")
    }

    /// The socket of an input in a folder.
    package static func socket(of name: String, in folder: String) -> String { "\(folder)/input-\(name).sock" }

    /// The socket of an input of this name, as a program of this user has it or, for the host's service, of any other;
    /// nil while there is none.
    package static func findSocket(of name: String, environment: [String: String] = ProcessEnvironment.current)
        -> String?
    {
        guard isName(name) else { return nil }
        let own = StatePaths(environment: environment).runtimeDirectory
        let candidates = [own] + folders().map { "\(shared)/\($0)" }
        return candidates.lazy.map { socket(of: name, in: $0) }.first { access($0, F_OK) == 0 }
    }

    private static func folders() -> [String] {
        guard let directory = opendir(shared) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < mostFolders, let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static let mostFolders = 1_024
}
