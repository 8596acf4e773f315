import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// Edits of the queue from a second terminal, judged frame by frame by what a room recorded.
    @Suite("Queue", .serialized)
    struct QueueTests {
        private let house: Household
        private let pieces: [String: NoisePiece]

        init() throws {
            house = try Household("queue")
            let lengths = ["a": 4, "b": 3, "c": 3, "d": 2, "x": 2, "y": 1.5]
            var pieces: [String: NoisePiece] = [:]
            for (name, seconds) in lengths {
                let piece = NoisePiece(name, seconds: seconds)
                try piece.write(to: house.path(name + ".wav"))
                pieces[name] = piece
            }
            self.pieces = pieces
            try house.startExactSpeaker("k")
        }

        private func play(_ names: String) throws -> (ChildProcess, String) {
            let player = try house.start(["play"] + names.map { house.path("\($0).wav") } + house.rooms)
            let isHeard = try house.eventually(within: 5) { try status()?.state == "playing" }
            #expect(isHeard, "\((try? String(contentsOfFile: player.1, encoding: .utf8)) ?? "")")
            return player
        }

        /// What of `tutti status --json` is looked at here.
        private struct Heard: Decodable {
            struct Item: Decodable { var uri: String }

            var state: String
            var position: Double
            var item: Item?
        }

        private func status() throws -> Heard? {
            let outcome = try house.tutti("status", "--json", within: 3)
            return try? JSONDecoder().decode(Heard.self, from: Data(outcome.text.utf8))
        }

        private func edit(_ arguments: String...) throws {
            let outcome = house.finish(try house.start(arguments), within: 3)
            #expect(outcome.code == 0, outcome.comment)
        }

        private func wait(until position: Double, of piece: String) throws {
            let isThere = try house.eventually(within: 8) {
                guard let status = try status() else { return false }
                return status.item?.uri.hasSuffix("/\(piece).wav") == true && status.position >= position
            }
            #expect(isThere, "\(piece) at \(position)")
        }

        /// What the room played, once the player has come to its end.
        private func story(_ player: (ChildProcess, String), code: Int32 = 0) throws -> [NoiseStretch] {
            let outcome = house.finish(player, within: 30)
            #expect(outcome.code == code, outcome.comment)
            house.endSpeakers()
            let recording = try QualityRoom.samples(of: house.path("k.wav"))
            return NoiseStretch.find(Array(pieces.values), in: recording)
        }

        /// Whether these pieces were played whole and end to end, to the frame.
        private func expect(_ story: [NoiseStretch], isWhole names: String) {
            #expect(story.map(\.piece) == names.map { String($0) }, "\(story)")
            for (stretch, next) in zip(story, story.dropFirst()) { #expect(next.start == stretch.end, "\(story)") }
            for stretch in story {
                #expect(stretch.from == 0 && stretch.count == pieces[stretch.piece]?.frames.count, "\(story)")
            }
        }

        @Test("edits of what the room holds already change what follows, and not a frame of what is heard")
        func edits() throws {
            let player = try play("abc")
            try edit("insert", house.path("x.wav"))
            try edit("move", "4", "3")
            try edit("add", house.path("d.wav"), house.path("y.wav"))
            try edit("remove", "4")
            let queue = try house.tutti("queue")
            #expect(queue.text.split(separator: "\n").count == 5 && queue.text.hasPrefix("▶ 1  a.wav"), queue.comment)
            expect(try story(player), isWhole: "axcdy")
        }

        @Test("an edit less than a second before the seam, when it is decoded already, is as exact")
        func late() throws {
            let player = try play("ab")
            // The room decodes more than a second ahead.
            try wait(until: 2.9, of: "a")
            try edit("insert", house.path("x.wav"))
            // What follows the last piece, when its end is decoded already.
            try wait(until: 1.8, of: "b")
            try edit("add", house.path("y.wav"))
            expect(try story(player), isWhole: "axby")
        }

        @Test(
            "a room that is heard two seconds after its card: an edit comes behind the piece that it has begun, and no frame is lost",
            arguments: [(2.4, "abx"), (0.4, "axb")])
        func delayed(place: Double, order: String) throws {
            try house.startExactSpeaker("m")
            let set = try house.tutti("delay", house.speakers[0].room, "2000")
            #expect(set.code == 0, set.comment)
            let player = try play("ab")
            try wait(until: place, of: "a")
            try edit("insert", house.path("x.wav"))
            expect(try story(player), isWhole: order)
            let other = try QualityRoom.samples(of: house.path("m.wav"))
            expect(NoiseStretch.find(Array(pieces.values), in: other), isWhole: order)
        }

        @Test("when the piece that is heard is removed the next one begins, and what was added behind it follows")
        func removal() throws {
            let player = try play("ab")
            try wait(until: 1, of: "a")
            try edit("consume", "on")
            try edit("add", house.path("c.wav"))
            try edit("remove", "1")
            let missing = try house.tutti("add", house.path("none.wav"))
            #expect(missing.code == 3 && missing.complaints.count == 1, missing.comment)
            let story = try story(player)
            try #require(story.map(\.piece) == ["a", "b", "c"], "\(story)")
            #expect(story[0].from == 0 && story[0].count > 48_000 && story[0].count < 144_000, "\(story)")
            // It comes up within 8 ms.
            #expect(story[1].from < 480 && story[1].from + story[1].count == 144_000, "\(story)")
            #expect(story[2].start == story[1].end && story[2].from == 0 && story[2].count == 144_000, "\(story)")
        }

        @Test("commands without a player, and numbers beyond the queue, say so in one line")
        func refusals() throws {
            for command in [["queue"], ["add", house.path("a.wav")], ["clear"], ["shuffle"], ["repeat", "one"]] {
                let outcome = house.finish(try house.start(command), within: 3)
                #expect(outcome.code == 5 && outcome.complaints.count == 1, outcome.comment)
            }
            for command in [["repeat", "twice"], ["move", "0", "1"], ["remove", "two"], ["add"], ["add", "-"]] {
                let outcome = house.finish(try house.start(command), within: 3)
                #expect(outcome.code == 2, outcome.comment)
            }
            let player = try play("a")
            for command in [["remove", "7"], ["jump", "3"], ["move", "1", "2"]] {
                let outcome = house.finish(try house.start(command), within: 3)
                #expect(outcome.code == 3 && outcome.complaints.count == 1, outcome.comment)
            }
            try edit("stop")
            #expect(house.finish(player, within: 3).code == 0)
        }
    }
}
