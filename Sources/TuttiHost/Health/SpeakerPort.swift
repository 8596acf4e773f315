/// Who listens on the speaker's port.
enum SpeakerPort {
    static func finding(port: UInt16, tree: SystemTree) -> HealthFinding {
        let check = "port \(port)"
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { tree.text($0) }
        guard !tables.isEmpty else { return HealthFinding(check, .unknown, "the kernel does not report who listens") }
        guard let inode = tables.lazy.compactMap({ listener(of: port, in: $0) }).first else {
            return HealthFinding(check, .ok, "free")
        }
        guard let owner = owner(of: inode, tree) else {
            return HealthFinding(
                check, .warning, "in use by a process of another user",
                advice: "run this as root to see which, or start the speaker with another --port")
        }
        if owner.name == "tutti-speaker" { return HealthFinding(check, .ok, "tutti-speaker (process \(owner.id))") }
        return HealthFinding(
            check, .problem, "in use by \(owner.name) (process \(owner.id))",
            advice: "stop that program, or start the speaker with another --port")
    }

    /// The inode of the socket that listens on `port`, from the text of `/proc/net/tcp` or `tcp6`.
    static func listener(of port: UInt16, in table: String) -> String? {
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == "0A", let place = fields[1].split(separator: ":").last,
                UInt16(place, radix: 16) == port
            else { continue }
            return String(fields[9])
        }
        return nil
    }

    private static func owner(of inode: String, _ tree: SystemTree) -> (name: String, id: String)? {
        let wanted = "socket:[\(inode)]"
        for id in tree.names(in: "/proc") where Int(id) != nil {
            let folder = "/proc/\(id)/fd"
            guard tree.names(in: folder).contains(where: { tree.link("\(folder)/\($0)") == wanted }) else { continue }
            return (tree.text("/proc/\(id)/comm") ?? "?", id)
        }
        return nil
    }
}
