import Glibc
import Synchronization
import TuttiCommandLine
import TuttiHost
import TuttiTunnel

extension RemoteFailure: ProgramFailure {}

/// The service of another host, where the command is for one: `tutti --host HOST COMMAND`.
enum Remote {
    /// Commands that have a meaning from afar: those that ask the service, and nothing else of its host.
    private static let commands: Set<String> = [
        "play", "say", "status", "pause", "resume", "toggle", "stop", "seek", "volume", "mute", "rate", "next",
        "previous", "prev", "queue", "add", "insert", "move", "remove", "replace", "jump", "clear", "shuffle", "repeat",
        "consume", "crossfade", "normalise", "normalize", "night", "reference", "group", "watch", "at", "sleep",
        "audio", "subtitle", "chapter", "search", "browse", "playlist", "favourite",
    ]

    private static let current = Mutex<RemoteHost?>(nil)

    /// The host; nil for this one.
    static var host: RemoteHost? { current.withLock { $0 } }

    /// Takes `--host HOST` from the front of the words, or TUTTI_HOST, and from then on has every command ask that host.
    ///
    /// - Returns: the other words.
    /// - Throws: `ProgramFailure` for a command that is for this computer only, and for a host that cannot be used.
    static func prepare(_ words: [String]) async throws -> [String] {
        var words = words
        let named = try takeOption(&words)
        let text = named ?? getenv("TUTTI_HOST").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        guard let text, let command = words.first, !words.contains("--help"), !words.contains("-h") else {
            return words
        }
        guard commands.contains(command) else {
            guard named != nil, command != "help", !command.hasPrefix("-") else { return words }
            throw Failure("`tutti \(command)` works on this computer only; leave out --host", exitCode: 2)
        }
        guard let address = RemoteAddress(text) else {
            throw Failure("\(text): --host takes HOST or HOST:PORT, such as music.local or 10.0.0.7:7780", exitCode: 2)
        }
        // Before anything has looked where sockets are.
        let folder = try socketFolder()
        let token = getenv("TUTTI_TOKEN").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        let (host, _) = try await meet(address, token: token)
        let tunnel = try await RemoteTunnel(to: host, path: folder + "/control.sock")
        current.withLock { $0 = host }
        Task.detached { await tunnel.run() }
        return words
    }

    /// Meets a host, and says so if it is new.
    static func meet(
        _ address: RemoteAddress, token: String?
    ) async throws -> (host: RemoteHost, access: RemoteHost.Access) {
        try await RemoteHost.meet(
            address, token: token, paths: PlayerSettings.paths, hosts: hosts, tell: Terminal.error)
    }

    /// What this user knows of other hosts.
    static var hosts: KnownHosts {
        KnownHosts(folder: PlayerSettings.paths.configDirectories.first ?? "/etc/tutti")
    }

    private static func takeOption(_ words: inout [String]) throws -> String? {
        guard let first = words.first, first == "--host" || first.hasPrefix("--host=") else { return nil }
        words.removeFirst()
        if first != "--host" { return String(first.dropFirst("--host=".count)) }
        guard !words.isEmpty else { throw Failure("--host takes HOST or HOST:PORT", exitCode: 2) }
        return words.removeFirst()
    }

    /// A folder for the socket, this user's alone, that goes with the process.
    private static func socketFolder() throws -> String {
        let parent = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/tmp"
        for place in [parent, "/tmp"] {
            var template = Array("\(place)/tutti-host-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            setenv("RUNTIME_DIRECTORY", path, 1)
            folder.withLock { $0 = path }
            atexit { Remote.removeFolder() }
            return path
        }
        throw Failure("cannot make a folder in /tmp: \(String(cString: strerror(errno)))")
    }

    private static let folder = Mutex<String?>(nil)

    private static func removeFolder() {
        guard let path = folder.withLock({ $0 }) else { return }
        unlink(path + "/control.sock")
        rmdir(path)
    }
}
