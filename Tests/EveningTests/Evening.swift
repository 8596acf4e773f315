import Foundation
import Glibc

/// A household for an evening: a service, its speakers without sound cards, and the command line, in a folder of their
/// own. It needs no network but loopback, no daemon and no rights.
final class Evening {
    /// Where everything lies.
    let folder: String
    /// Each room's port.
    private(set) var ports: [String: UInt16]
    private var speakers: [Process]
    private var service: Process?
    /// Where the service serves HTTP; nil if it does not.
    private let http: UInt16?

    /// The room in which music plays meanwhile.
    static let music = "living room"
    /// The others.
    static let others = ["kitchen", "bath", "Büro", "bedroom"]

    /// - Parameters:
    ///   - http: the port on which the service serves HTTP; nil for none.
    ///   - settings: what its settings file has, with `{folder}` where everything lies.
    init(http: UInt16? = nil, settings: String = "") throws {
        self.http = http
        folder = "/tmp/tutti-evening-\(UUID().uuidString.prefix(8))"
        for part in ["run", "state", "config/tutti", "folder"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + part, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try settings.replacingOccurrences(of: "{folder}", with: folder).write(
            toFile: folder + "/config/tutti/tutti.yaml", atomically: true, encoding: .utf8)
        try WaveFile.write(seconds: 600, to: folder + "/long.wav")
        try WaveFile.write(seconds: 1, to: folder + "/gong.wav")
        try WaveFile.write(seconds: 30, to: folder + "/song.wav")
        try "This is no music.\n".write(toFile: folder + "/readme.txt", atomically: true, encoding: .utf8)
        try "\(folder)/none.flac\n\(folder)/gone.flac\n".write(
            toFile: folder + "/dead.m3u", atomically: true, encoding: .utf8)
        _ = FileManager.default.createFile(atPath: folder + "/empty.wav", contents: Data())
        var ports: [String: UInt16] = [:]
        var speakers: [Process] = []
        for room in [Self.music] + Self.others {
            let port = try FreePort.next()
            ports[room] = port
            let arguments = [
                "--name", room, "--device", "null", "--port", "\(port)", "--no-mdns",
                "--state-dir", folder + "/" + room.filter(\.isLetter),
            ]
            speakers.append(try Self.start("tutti-speaker", arguments, in: folder, log: room.filter(\.isLetter)))
        }
        (self.ports, self.speakers) = (ports, speakers)
        try serve()
    }

    deinit { end() }

    /// Ends everything.
    func end() {
        for process in speakers + [service].compactMap(\.self) where process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Adds a speaker with settings of its own; its ports begin at the one that comes back.
    ///
    /// - Parameter environment: what it has besides.
    @discardableResult
    func addSpeaker(
        _ rooms: [String], _ words: [String], environment: [String: String] = [:], log: String
    ) throws -> UInt16 {
        let port = try FreePort.next()
        for (number, room) in rooms.enumerated() { ports[room] = port + UInt16(number) }
        let arguments = ["--port", "\(port)", "--no-mdns", "--state-dir", folder + "/" + log] + words
        let process = try Self.start("tutti-speaker", arguments, in: folder, log: log, environment: environment)
        speakers.append(process)
        let deadline = ContinuousClock.now + .seconds(20)
        while self.log(log).components(separatedBy: "speaker ready").count <= rooms.count {
            guard process.isRunning, ContinuousClock.now < deadline else {
                throw EveningError.notReady(self.log(log))
            }
            usleep(50_000)
        }
        return port
    }

    // MARK: The service

    /// Starts the service and waits until it takes commands.
    func serve() throws {
        let options = http.map { ["--http", "127.0.0.1:\($0)"] } ?? []
        service = try Self.start("tutti-player", ["serve"] + options, in: folder, log: "serve")
        let deadline = ContinuousClock.now + .seconds(20)
        while try tutti("at").code != 0 {
            guard ContinuousClock.now < deadline else { throw EveningError.notReady(log("serve")) }
            usleep(50_000)
        }
    }

    /// The service's web server.
    func webProcess() -> Int32? {
        guard let id = service?.processIdentifier else { return nil }
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
        let children = tasks.compactMap { task in
            try? String(contentsOfFile: "/proc/\(id)/task/\(task)/children", encoding: .utf8)
        }
        return children.flatMap { $0.split(separator: " ") }.compactMap { Int32($0) }.first
    }

    /// A room with its address, as `--room` takes it.
    func address(of room: String) -> String { resolve("{\(room)}") }

    /// Kills the service without a word.
    func killService() {
        guard let process = service else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    // MARK: Commands

    /// Runs `tutti` with words in which `{room}` is a room with its address and `{name.wav}` a file.
    func tutti(_ words: String...) throws -> Programs.Outcome { try tutti(words) }

    /// The same.
    func tutti(_ words: [String]) throws -> Programs.Outcome {
        try run(Programs.folder + "/tutti", words.map(resolve))
    }

    /// Runs a program in the household's folder, with the household's programs in its path.
    func run(_ program: String, _ words: [String]) throws -> Programs.Outcome {
        try Programs.run(Self.process(program, words, in: folder))
    }

    private func resolve(_ word: String) -> String {
        guard word.hasPrefix("{"), word.hasSuffix("}") else { return word }
        let name = String(word.dropFirst().dropLast())
        // A room's address under another name.
        if let sign = name.firstIndex(of: "="), let port = ports[String(name[name.index(after: sign)...])] {
            return "\(name[..<sign])@127.0.0.1:\(port)"
        }
        return ports[name].map { "\(name)@127.0.0.1:\($0)" } ?? folder + "/" + name
    }

    /// What a process wrote into its log.
    func log(_ name: String) -> String {
        (try? String(contentsOfFile: folder + "/" + name + ".log", encoding: .utf8)) ?? ""
    }

    private static func start(
        _ program: String, _ words: [String], in folder: String, log: String, environment: [String: String] = [:]
    ) throws -> Process {
        let process = process(Programs.folder + "/" + program, words, in: folder)
        process.environment?.merge(environment) { $1 }
        let path = folder + "/" + log + ".log"
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let file = FileHandle(forWritingAtPath: path)
        _ = try file?.seekToEnd()
        (process.standardOutput, process.standardError) = (file, file)
        try process.run()
        return process
    }

    private static func process(_ program: String, _ words: [String], in folder: String) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = [
            "PATH": Programs.folder + ":/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": folder + "/run",
            "XDG_STATE_HOME": folder + "/state", "XDG_CONFIG_HOME": folder + "/config",
            // Other evenings run beside this one.
            "TUTTI_HTTP": "off",
            // Nobody of another network is to be found.
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
        ]
        return process
    }
}

/// What goes wrong with the test itself.
enum EveningError: Error {
    case notReady(String)
    case noPort
}
