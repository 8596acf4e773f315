import Foundation
import Testing
import TuttiLab

/// A speaker on a virtual card of this host (no network of its own), at full volume, for listening closely.
struct QualityRoom {
    let name: String
    let folder: String
    private let port: UInt16
    private let speaker: ChildProcess

    /// Starts a speaker on a card 80 ppm fast, if not said otherwise, that takes only `format` at `rate`, and has
    /// so many channels.
    init(
        _ name: String, in folder: String, format: String, rate: Int, port: UInt16, ppm: Double = 80, channels: Int = 2,
        flags: [String] = [],
        environment extra: [String: String] = [:]
    ) throws {
        self.name = name
        self.folder = folder
        self.port = port
        let state = "\(folder)/\(name)"
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let card = LabCard(name: name, directory: folder, ppm: ppm, rate: rate)
        let configuration = card.configuration(plugin: LabSite.programs.cardPlugin)
            .replacing("    ppm", with: "    format \"\(format)\"\n    channels \(channels)\n    ppm")
        try configuration.write(toFile: "\(state)/asoundrc", atomically: true, encoding: .utf8)
        let remembered =
            #"{"id":"\#(name)","volume":100}"#
        try remembered.write(toFile: "\(state)/speaker.json", atomically: true, encoding: .utf8)
        var environment = Self.environment(home: state)
        environment["ALSA_CONFIG_PATH"] = "\(state)/asoundrc"
        environment.merge(extra) { $1 }
        speaker = try ChildProcess(
            [
                LabSite.programs.speaker, "--name", name, "--port", "\(port)", "--no-mdns", "--state-dir", state,
            ] + flags, environment: environment, output: "\(state)/speaker.log", errors: "\(state)/speaker.log")
        let deadline = MonotonicRaw.now() + 5_000_000_000
        while !ListeningSocket.exists(port: port, besideProcess: speaker.id) {
            try #require(speaker.isRunning && MonotonicRaw.now() < deadline, "the speaker listens")
            usleep(5_000)
        }
    }

    /// How `--room` names it.
    var address: String { "\(name)@127.0.0.1:\(port)" }

    /// Its process.
    var process: Int32 { speaker.id }

    /// What left the card.
    var recording: String { "\(folder)/\(name).wav" }

    func stop() { speaker.stop() }

    /// When each of its frames left.
    var log: String { "\(folder)/\(name).log" }

    /// Ends without a word.
    func kill() {
        speaker.send(SIGKILL)
        _ = speaker.wait()
    }

    /// Gives the player of `folder` a command, and gives what that prints.
    static func command(_ words: [String], folder: String) throws -> (ending: ChildProcess.Ending?, text: String) {
        let output = "\(folder)/command.txt"
        let process = try ChildProcess(
            [LabSite.programs.tutti] + words, environment: environment(home: folder), output: output, errors: output)
        let ending = process.wait(seconds: 10)
        return (ending, (try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
    }

    /// Starts to play a file in rooms.
    static func play(
        _ file: String, in rooms: [QualityRoom], folder: String, flags: [String] = []
    ) throws -> ChildProcess {
        try play(file, at: rooms.map(\.address), folder: folder, flags: flags)
    }

    /// The same in rooms as `--room` names them.
    static func play(
        _ file: String, at addresses: [String], folder: String, flags: [String] = []
    ) throws -> ChildProcess {
        try ChildProcess(
            [LabSite.programs.tutti, "play", file, "--standalone"] + flags + addresses.flatMap { ["--room", $0] },
            environment: environment(home: folder), output: "\(folder)/play.log", errors: "\(folder)/play.log")
    }

    /// The samples of a WAV file as its bytes.
    static func samples(of file: String) throws -> Data {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let start = try #require(data.firstRange(of: Data("data".utf8))).upperBound + 4
        return Data(data[start...])
    }

    private static func environment(home: String) -> [String: String] {
        [
            "HOME": home, "XDG_RUNTIME_DIR": home, "XDG_STATE_HOME": "\(home)/state",
            "XDG_CONFIG_HOME": "\(home)/config", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        ]
    }
}
