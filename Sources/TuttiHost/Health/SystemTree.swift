import Glibc

/// The kernel's files (`/proc`, `/sys`, `/dev`), or a copy of some elsewhere.
package struct SystemTree: Sendable {
    private let root: String

    /// The files below `root`; by default those of this host.
    package init(root: String = "") { self.root = root }

    /// The text of a file without white space around it; nil when it cannot be read.
    func text(_ path: String) -> String? {
        guard let bytes = try? AtomicFile.read(root + path) else { return nil }
        let isSpace: (UInt8) -> Bool = { $0 <= UInt8(ascii: " ") }
        let body = bytes.drop(while: isSpace)
        guard let last = body.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(decoding: body[...last], as: UTF8.self)
    }

    /// The whole number in a file.
    func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

    /// The names in a folder, sorted; none when it cannot be read.
    func names(in path: String) -> [String] {
        guard let folder = opendir(root + path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            // An entry is only as long as its name: it must not be copied whole.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
            let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether something is there.
    func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

    /// Whether this process may read and write a file.
    func isUsable(_ path: String) -> Bool { access(root + path, R_OK | W_OK) == 0 }

    /// Where a symbolic link leads.
    func link(_ path: String) -> String? {
        var text = [CChar](repeating: 0, count: 256)
        let count = readlink(root + path, &text, text.count)
        guard count > 0 else { return nil }
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
