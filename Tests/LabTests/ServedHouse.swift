import Foundation
import Testing
import TuttiLab
import TuttiPOSIX

/// A service with its rooms, and pieces of which every frame is known.
struct ServedHouse {
    let house: Household
    private let pieces: [String: NoisePiece]

    /// What of `tutti status --json` is looked at.
    struct Heard: Decodable {
        struct Room: Decodable {
            var name: String
            var volume: Double?
            var loaded: [[Double]]
        }
        struct Item: Decodable { var uri: String }

        var group: String?
        var state: String
        var position: Double
        var item: Item?
        var rooms: [Room]

        /// Up to where a room holds the piece that is heard, in seconds.
        func end(in room: String) -> Double { rooms.first { $0.name == room }?.loaded.last?.last ?? 0 }
    }

    init(_ name: String) throws {
        house = try Household(name)
        var pieces: [String: NoisePiece] = [:]
        for (name, seconds) in ["a": 12.0, "b": 3, "c": 2] {
            let piece = NoisePiece(name, seconds: seconds)
            try piece.write(to: house.path(name + ".wav"))
            pieces[name] = piece
        }
        self.pieces = pieces
    }

    /// The file of a piece.
    func file(_ piece: String) -> String { house.path(piece + ".wav") }

    // MARK: Commands

    /// Starts the service and waits until it is ready.
    func serve(extra: [String: String] = [:]) throws -> (ChildProcess, String) {
        let service = try house.start(["serve"], extra: extra)
        let isReady = house.eventually(within: 5) { service.1.contents.contains(" ready") }
        try #require(isReady, "\(service.1.contents)")
        return service
    }

    /// Has the service end by itself.
    func end(_ service: (ChildProcess, String)) {
        let outcome = Household.Outcome(ending: service.0.stop(signal: SIGTERM), text: service.1.contents, seconds: 0)
        #expect(outcome.code == 0, outcome.comment)
    }

    /// Runs `tutti`, which is to end with `code`.
    @discardableResult
    func tutti(_ arguments: String..., code: Int32 = 0) throws -> Household.Outcome {
        let outcome = house.finish(try house.start(arguments), within: 15)
        #expect(outcome.code == code, "\(arguments): \(outcome.comment)")
        return outcome
    }

    /// Gives the service lines of JSON, one after the other, each of which is to be done.
    func ask(_ requests: [String]) throws {
        guard let socket = UnixSocket.connected(to: house.path("run/tutti/control.sock"), timeoutSeconds: 5) else {
            Issue.record("the service listens")
            return
        }
        for request in requests {
            let isSent = socket.send(Array((request + "\n").utf8))
            #expect(isSent, "\(request)")
            let answer = String(decoding: socket.line(limit: 1 << 20) ?? [], as: UTF8.self)
            #expect(answer.contains(#""ok":true"#), "\(request): \(answer)")
        }
    }

    /// How the groups stand.
    func status() throws -> [String: Heard] {
        let outcome = house.finish(try house.start(["status", "--json"]), within: 3)
        // With nothing playing it tells how the rooms are.
        guard outcome.code == 0 else { return [:] }
        let lines = outcome.text.split(separator: "\n")
        let heard = lines.compactMap { try? JSONDecoder().decode(Heard.self, from: Data($0.utf8)) }
        return Dictionary(heard.map { ($0.group ?? "", $0) }) { first, _ in first }
    }

    /// Waits until a group stands so.
    func wait(for group: String, _ condition: (Heard) -> Bool) throws {
        let holds = try house.eventually(within: 10) { try status()[group].map(condition) ?? false }
        let now = try status()
        try #require(holds, "\(group): \(now)")
    }

    /// Waits until nothing plays.
    func waitForEnd() throws {
        let isOver = try house.eventually(within: 30) { try status().isEmpty }
        #expect(isOver)
    }

    // MARK: What was heard

    /// What a room has played.
    func story(_ room: String) throws -> [NoiseStretch] {
        NoiseStretch.find(Array(pieces.values), in: try QualityRoom.samples(of: house.path("\(room).wav")))
    }

    /// When a frame left a room's card, in seconds of CLOCK_MONOTONIC_RAW.
    func instant(of frame: Int, in speaker: Household.Speaker) throws -> Double {
        struct Run: Decodable {
            let t0_raw_ns: Int64
            let first_frame: Int
        }
        let log = try String(contentsOfFile: speaker.recording + ".timing.json", encoding: .utf8)
        let runs = try log.split(separator: "\n").map { try JSONDecoder().decode(Run.self, from: Data($0.utf8)) }
        let run = try #require(runs.last { $0.first_frame <= frame }, "\(log)")
        return Double(run.t0_raw_ns) / 1e9 + Double(frame - run.first_frame) / 48_000
    }

    /// Whether these pieces were played whole and end to end, to the frame.
    func expect(_ story: [NoiseStretch], isWhole names: String) {
        #expect(story.map(\.piece) == names.map { String($0) }, "\(story)")
        for (stretch, next) in zip(story, story.dropFirst()) { #expect(next.start == stretch.end, "\(story)") }
        for stretch in story { expectWhole(stretch) }
    }

    /// Whether a piece was played from its first frame to its last.
    func expectWhole(_ stretch: NoiseStretch) {
        #expect(stretch.from == 0 && stretch.count == pieces[stretch.piece]?.frames.count, "\(stretch)")
    }
}
