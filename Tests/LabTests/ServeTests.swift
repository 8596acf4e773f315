import Foundation
import Testing
import TuttiLab

extension LabTests {
    /// A service that plays for everybody, judged frame by frame by what rooms recorded.
    @Suite("Serve")
    struct ServeTests {
        private let house: Household
        private let pieces: [String: NoisePiece]

        init() throws {
            house = try Household("serve")
            var pieces: [String: NoisePiece] = [:]
            for (name, seconds) in ["a": 12.0, "b": 3, "c": 2] {
                let piece = NoisePiece(name, seconds: seconds)
                try piece.write(to: house.path(name + ".wav"))
                pieces[name] = piece
            }
            self.pieces = pieces
        }

        private func serve() throws -> (ChildProcess, String) {
            let service = try house.start(["serve"])
            let isReady = house.eventually(within: 5) { service.1.contents.contains(" ready") }
            try #require(isReady, "\(service.1.contents)")
            return service
        }

        private func end(_ service: (ChildProcess, String)) {
            let outcome = Household.Outcome(
                ending: service.0.stop(signal: SIGTERM), text: service.1.contents, seconds: 0)
            #expect(outcome.code == 0, outcome.comment)
        }

        @discardableResult
        private func tutti(_ arguments: String..., code: Int32 = 0) throws -> Household.Outcome {
            let outcome = house.finish(try house.start(arguments), within: 15)
            #expect(outcome.code == code, "\(arguments): \(outcome.comment)")
            return outcome
        }

        /// What of `tutti status --json` is looked at here.
        private struct Heard: Decodable {
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
        }

        /// How the groups stand.
        private func status() throws -> [String: Heard] {
            let outcome = house.finish(try house.start(["status", "--json"]), within: 3)
            let lines = outcome.text.split(separator: "\n")
            let heard = lines.compactMap { try? JSONDecoder().decode(Heard.self, from: Data($0.utf8)) }
            return Dictionary(heard.map { ($0.group ?? "", $0) }) { first, _ in first }
        }

        private func wait(for group: String, _ condition: (Heard) -> Bool) throws {
            let holds = try house.eventually(within: 10) { try status()[group].map(condition) ?? false }
            let now = try status()
            try #require(holds, "\(group): \(now)")
        }

        private func story(_ room: String) throws -> [NoiseStretch] {
            NoiseStretch.find(Array(pieces.values), in: try QualityRoom.samples(of: house.path("\(room).wav")))
        }

        /// Whether these pieces were played whole and end to end, to the frame.
        private func expect(_ story: [NoiseStretch], isWhole names: String) {
            #expect(story.map(\.piece) == names.map { String($0) }, "\(story)")
            for (stretch, next) in zip(story, story.dropFirst()) { #expect(next.start == stretch.end, "\(story)") }
            for stretch in story {
                #expect(stretch.from == 0 && stretch.count == pieces[stretch.piece]?.frames.count, "\(story)")
            }
        }

        @Test(
            "two groups play at once, and commands find theirs; killed and started again, it goes on with both to the frame"
        )
        func killed() throws {
            for name in ["k", "m"] { try house.startExactSpeaker(name) }
            let first = try serve()
            let rooms = house.speakers.map(\.room)
            try tutti("play", house.path("a.wav"), "--room", rooms[0], "--detach")
            try tutti("play", house.path("a.wav"), house.path("c.wav"), "--room", rooms[1], "--detach")
            #expect(try status().mapValues(\.state) == ["k": "playing", "m": "playing"])
            // Which one?
            let several = try tutti("pause", code: 2)
            #expect(several.complaints.count == 1 && several.text.contains("k, m"), several.comment)
            let unknown = try tutti("next", "--group", "attic", code: 3)
            #expect(unknown.complaints.count == 1 && unknown.text.contains("k, m"), unknown.comment)
            try tutti("insert", "--group", "m", house.path("b.wav"))
            try tutti("volume", "k", "40")
            try tutti("pause", "--group", "k")
            try wait(for: "m") { $0.position > 2 }
            first.0.send(SIGKILL)
            _ = first.0.wait()
            let gone = try tutti("status", code: 5)
            #expect(gone.complaints.count == 1, gone.comment)
            let second = try serve()
            try wait(for: "k") { $0.state == "paused" && $0.rooms.first?.volume == 40 }
            try wait(for: "m") { $0.state == "playing" }
            let queue = try tutti("queue", "--group", "m")
            let names = queue.text.matches(of: #/[abc]\.wav/#).map { String($0.output) }
            #expect(names == ["a.wav", "b.wav", "c.wav"], queue.comment)
            try tutti("stop", "--group", "k")
            let isOver = try house.eventually(within: 30) { try status().isEmpty }
            #expect(isOver)
            end(second)
            house.endSpeakers()
            expect(try story("m"), isWhole: "abc")
            #expect(try story("k").first?.piece == "a")
        }

        @Test("a view of it may end at any time, and an update of it is not heard")
        func views() throws {
            try house.startExactSpeaker("k")
            let first = try serve()
            let room = house.speakers[0].room
            let view = try house.start(["play", house.path("a.wav"), house.path("c.wav"), "--room", room])
            try wait(for: "k") { $0.position > 1 }
            view.0.send(SIGINT)
            #expect(house.finish(view, within: 3).code == 0)
            let refused = try tutti("play", "-", "--room", room, code: 2)
            #expect(refused.complaints.count == 1 && refused.text.contains("--standalone"), refused.comment)
            // There is one service.
            let twin = try tutti("serve", code: 1)
            #expect(twin.complaints.count == 1, twin.comment)
            let watch = try house.start(["watch", "--json"])
            usleep(1_200_000)
            let stopped = MonotonicRaw.now()
            end(first)
            #expect(MonotonicRaw.now() - stopped < 2_000_000_000)
            #expect(house.finish(watch, within: 3).text.contains(#""group":"k""#))
            let second = try serve()
            // An edit of what the room holds already.
            try wait(for: "k") { $0.state == "playing" }
            try tutti("insert", house.path("b.wav"))
            let isOver = try house.eventually(within: 30) { try status().isEmpty }
            #expect(isOver)
            end(second)
            house.endSpeakers()
            expect(try story("k"), isWhole: "abc")
        }

        @Test("a room is in one group, the one that was asked for last; rooms come and go as their group is edited")
        func moves() throws {
            for name in ["k", "m"] { try house.startExactSpeaker(name) }
            let service = try serve()
            let rooms = house.speakers.map(\.room)
            try tutti("group", "set", "down", rooms[0])
            try tutti("play", house.path("a.wav"), "--group", "down", "--detach")
            try tutti("group", "add", "down", rooms[1])
            try wait(for: "down") { $0.rooms.count == 2 && $0.rooms.allSatisfy { !$0.loaded.isEmpty } }
            try tutti("play", house.path("b.wav"), "--room", rooms[1], "--detach")
            let after = try status()
            #expect(after["down"]?.rooms.map(\.name) == ["k"] && after["m"]?.rooms.map(\.name) == ["m"], "\(after)")
            try wait(for: "m") { $0.position > 0.3 }
            // What is given to a group that plays takes the place of what it plays.
            try tutti("play", house.path("c.wav"), "--room", rooms[1], "--detach")
            try wait(for: "m") { $0.item?.uri.hasSuffix("c.wav") == true && $0.position > 0.3 }
            try tutti("stop", "--group", "m")
            try tutti("stop")
            let idle = try tutti("pause", code: 5)
            #expect(idle.complaints.count == 1, idle.comment)
            end(service)
            house.endSpeakers()
            let heard = try story("m")
            #expect(heard.map(\.piece) == ["a", "b", "c"], "\(heard)")
            #expect(try story("k").map(\.piece) == ["a"])
        }

        @Test("a start at a time is heard at that time, even when the service has died before")
        func appointment() throws {
            try house.startExactSpeaker("k")
            let service = try serve()
            try tutti(
                "at", "in", "8s", "play", house.path("c.wav"), "--room", house.speakers[0].room, "--volume", "100")
            let listed = try tutti("at", "--json")
            let next = try #require(listed.text.firstMatch(of: #/"next":([0-9.]+)/#).flatMap { Double($0.output.1) })
            let offset = Double(MonotonicRaw.now()) / 1e9 - Date().timeIntervalSince1970
            // The line is given as soon as the room is ready.
            try wait(for: "k") { $0.state == "playing" && $0.rooms.first?.loaded.isEmpty == false }
            usleep(500_000)
            #expect(Date().timeIntervalSince1970 < next - 2)
            service.0.send(SIGKILL)
            _ = service.0.wait()
            usleep(UInt32(max(0, next + 3.5 - Date().timeIntervalSince1970) * 1e6))
            house.endSpeakers()
            struct Run: Decodable { let t0_raw_ns: Int64 }
            let log = try String(contentsOfFile: house.speakers[0].recording + ".timing.json", encoding: .utf8)
            let runs = try log.split(separator: "\n").map { try JSONDecoder().decode(Run.self, from: Data($0.utf8)) }
            let story = try story("k")
            try #require(runs.count == 1, "the card ran dry")
            expect(story, isWhole: "c")
            let start = try #require(story.first?.start)
            let late = Double(runs[0].t0_raw_ns) / 1e9 + Double(start) / 48_000 - offset - next
            #expect(abs(late) < 0.02, "\(late) s late")
        }

        @Test("a sleep timer fades out, ends, and leaves the room as loud as it was")
        func sleep() throws {
            try house.startExactSpeaker("k")
            let service = try serve()
            try tutti("play", house.path("a.wav"), "--room", house.speakers[0].room, "--detach")
            try tutti("volume", "80")
            try tutti("repeat", "all")
            try tutti("sleep", "12s")
            let left = try tutti("sleep")
            #expect(left.text.hasPrefix("0:1"), left.comment)
            let isOver = try house.eventually(within: 20) { try status().isEmpty }
            #expect(isOver)
            try tutti("play", house.path("c.wav"), "--room", house.speakers[0].room, "--detach")
            try wait(for: "k") { $0.rooms.first?.volume == 80 }
            try tutti("stop")
            end(service)
        }
    }
}
