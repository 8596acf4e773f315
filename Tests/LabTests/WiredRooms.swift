import Foundation
import Testing
import TuttiLab

/// A sender and rooms with cards on hosts of their own, and one more host that has no business there.
final class WiredRooms {
    /// The host of whoever means no good.
    static let stranger = LabSession.spare

    let session: LabSession
    let song: BenchSong
    private let folder: String
    private let isOpen: Bool
    private(set) var speakers: [String: ChildProcess] = [:]
    private var count = 0

    /// Starts the rooms' speakers, and waits until they listen.
    ///
    /// - Parameters:
    ///   - seconds: the song's length.
    ///   - isOpen: whether all speak in the clear.
    init(_ name: String, rooms: [String], seconds: Double, isOpen: Bool = false) throws {
        folder = try LabSite.folder(name)
        self.isOpen = isOpen
        song = try BenchSong(seconds: seconds, directory: folder)
        session = try LabSession(
            rooms: rooms.enumerated().map { BenchCase.Room($1, .lan, ppm: $0 % 2 == 0 ? 60 : -60) }, seed: 5,
            directory: folder + "/run", cardPlugin: LabSite.programs.cardPlugin, hasSpare: true)
        for room in rooms {
            let speaker = try session.start(
                [
                    LabSite.programs.speaker, "--name", room, "--device", "default", "--port", "\(TuttiRun.port)",
                    "--no-mdns", "--state-dir", session.folder(of: room) + "/state",
                ] + (isOpen ? ["--open"] : []), on: room, name: "tutti-speaker")
            speakers[room] = speaker
            try session.waitForPort(TuttiRun.port, of: speaker, seconds: 5)
        }
    }

    deinit { session.close() }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// As `--room` takes it.
    func address(of room: String) throws -> String {
        "\(room)@\(try session.hosts.address(of: room)):\(TuttiRun.port)"
    }

    /// `--room` for all.
    func rooms() throws -> [String] {
        try session.rooms.flatMap { ["--room", try address(of: $0.name)] }
    }

    /// Starts `tutti` on the sender's host; what it prints goes to the file.
    func start(_ arguments: [String], environment: [String] = []) throws -> (ChildProcess, String) {
        count += 1
        let name = "tutti-\(count)"
        let open = isOpen ? ["TUTTI_OPEN=true"] : []
        let process = try session.start(
            ["env"] + open + environment + [LabSite.programs.tutti] + arguments, on: LabSession.sender, name: name)
        return (process, "\(session.folder(of: LabSession.sender))/\(name).log")
    }

    /// Waits for the end of what was started.
    func finish(_ started: (ChildProcess, String), within seconds: Double = 20) -> Household.Outcome {
        let ending = started.0.wait(seconds: seconds)
        let elapsed = Double(MonotonicRaw.now() - started.0.started) / 1e9
        return Household.Outcome(ending: ending, text: started.1.contents, seconds: elapsed)
    }

    /// Runs `tutti` to its end.
    @discardableResult
    func tutti(_ arguments: String..., code: Int32 = 0) throws -> Household.Outcome {
        let outcome = finish(try start(arguments))
        #expect(outcome.code == code, "\(arguments): \(outcome.comment)")
        return outcome
    }

    /// Starts to play, and waits until it is heard.
    func play(_ file: String? = nil) throws -> (ChildProcess, String) {
        let player = try start(["play", file ?? song.flac, "--standalone"] + rooms())
        for _ in 0..<50 {
            let status = finish(try start(["status", "--json"]), within: 3)
            if status.text.contains(#""state":"playing""#) { return player }
            usleep(100_000)
        }
        Issue.record("nothing plays: \(player.1.contents)")
        return player
    }

    /// Ends the speakers, so that their recordings are whole, and measures these against the song.
    func report(since command: Int64) throws -> ComparisonReport {
        for speaker in speakers.values { speaker.stop(signal: SIGINT) }
        return Comparison(
            source: try WaveFile(path: song.wave),
            cards: try session.cardLogs.map { try CardRecording(path: $0).cropped(from: command) },
            commandTime: command
        ).report()
    }

    /// Datagrams that a room's host has taken so far.
    func datagrams(in room: String) throws -> Int {
        let speaker = try #require(speakers[room])
        let file = FileHandle(forReadingAtPath: "/proc/\(speaker.id)/net/snmp")
        let text = String(decoding: try file?.readToEnd() ?? Data(), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("Udp: ") }
        return try #require(lines.last?.split(separator: " ").dropFirst().first.flatMap { Int($0) }, "\(text)")
    }
}
