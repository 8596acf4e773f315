import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// What is wrong is said in one line, and what is right plays.
    @Suite("Bad input", .serialized, .enabled(if: LabSite.flac.isMet, LabSite.flac.comment))
    struct BadInputTests {
        private let house: Household

        init() throws { house = try Household("bad-input") }

        private func writeFiles() throws -> [(name: String, reason: String)] {
            // Other music than what is cut up: the recording tells them apart.
            try house.writeSong("good", from: 8, seconds: 3)
            try house.writeSong("other", seconds: 3)
            let whole = try Data(contentsOf: URL(fileURLWithPath: house.path("other.flac")))
            var corrupt = whole
            corrupt.replaceSubrange(100_000..<101_000, with: Data(repeating: 0xA5, count: 1000))
            let files: [(String, Data, String)] = [
                ("empty.flac", Data(), "empty"), ("text.flac", Data("no sound at all\n".utf8), "no audio"),
                ("truncated.flac", whole.prefix(120_000), "cut off"), ("corrupt.flac", corrupt, "damaged"),
            ]
            for (name, data, _) in files { try data.write(to: URL(fileURLWithPath: house.path(name))) }
            return files.map { ($0.0, $0.2) } + [("missing.flac", "no such file")]
        }

        @Test("a good file among bad ones plays; each bad one is named in one line with the reason")
        func amongBad() throws {
            let files = try writeFiles()
            let good = house.path("good.flac")
            let room = try house.startSpeaker("k", ppm: 50).room
            let other = try house.startSpeaker("b").room
            // What plays in part goes to another room, so that the first recording is the good file alone.
            let silent = try play(files.filter { !Self.playsInPart($0.name) }, good, room)
            let partly = try play(files.filter { Self.playsInPart($0.name) }, good, other)
            house.endSpeakers()
            let report = try house.compare(
                try WaveFile(path: house.path("good.wav")), [try #require(house.speakers.first).recording])
            #expect(report.rooms[0].completeness >= 99, "\(report.table)\n\(silent)")
            #expect(partly.contains("playing \(good)") || partly.contains("playing good.flac"), "\(partly)")
        }

        private static func playsInPart(_ name: String) -> Bool { ["truncated.flac", "corrupt.flac"].contains(name) }

        /// Plays bad files and then the good one; what was printed.
        private func play(_ files: [(name: String, reason: String)], _ good: String, _ room: String) throws -> String {
            let bad = files.map { house.path($0.name) }
            let outcome = house.finish(try house.start(["play", "--room", room] + bad + [good]), within: 30)
            #expect(outcome.code == 1, outcome.comment)
            for (name, reason) in files {
                let lines = outcome.complaints.filter { $0.contains(name) }
                #expect(lines.count == 1 && lines[0].contains(reason), "\(name): \(reason)\n\(outcome.text)")
            }
            return outcome.text
        }

        @Test("nothing playable is status 3; unknown rooms and groups too, within 3 s, and nothing starts")
        func nothing() throws {
            _ = try writeFiles()
            let speaker = try house.startSpeaker("k")
            let empty = try house.tutti("play", house.path("empty.flac"), "--room", speaker.room)
            #expect(empty.code == 3 && empty.text.contains("empty.flac"), empty.comment)
            let good = house.path("good.flac")
            let wrong = [
                ["--room", "lost@127.0.0.1:9"], ["--room", "other@127.0.0.1:\(speaker.port)"], ["--group", "nobodies"],
            ]
            for option in wrong {
                let outcome = try house.tutti("play", good, "--room", speaker.room, option[0], option[1])
                let name = option[1].prefix { $0 != "@" }
                #expect(outcome.code == 3 && outcome.seconds < 3, outcome.comment)
                #expect(outcome.complaints.contains { $0.contains(name) }, outcome.comment)
                #expect(!outcome.text.contains("playing"), outcome.comment)
            }
            let any = try house.tutti("play", good, "--any", "--room", speaker.room, "--room", "lost@127.0.0.1:9")
            #expect(any.text.contains("k: playing"), any.comment)
            house.endSpeakers()
            let report = try house.compare(try WaveFile(path: house.path("good.wav")))
            #expect(report.rooms[0].completeness >= 99, "\(report.table)\n\(any.text)")
        }

        @Test("wrong usage is status 2; with nothing playing, steering is 5")
        func usage() throws {
            for arguments in [["play"], ["play", "x.flac"], ["play", "x.flac", "--room", "k@"], ["seek", "banana"]] {
                let outcome = house.finish(try house.start(arguments), within: 5)
                #expect(outcome.code == 2, outcome.comment)
            }
            for arguments in [["pause"], ["resume"], ["stop"], ["next"], ["volume", "50"], ["status", "--json"]] {
                let outcome = house.finish(try house.start(arguments), within: 5)
                #expect(outcome.code == 5 && outcome.complaints.count == 1, outcome.comment)
            }
        }

        @Test("a speaker that cannot start says why in one line: port, state folder, device")
        func speakers() throws {
            let port = "\(try house.startSpeaker("k").port)"
            let common = ["--no-mdns", "--state-dir"]
            let cases = [
                (["--port", port, "--device", "null"] + common + [house.path("x")], port),
                (["--port", "0", "--device", "null"] + common + ["/proc/none"], "/proc/none"),
                (["--port", "0", "--device", "tee:null"] + common + [house.path("y")], "tee:null"),
            ]
            for (arguments, name) in cases {
                let outcome = try house.speaker(arguments)
                #expect(outcome.code == 1, outcome.comment)
                #expect(outcome.complaints.count == 1 && outcome.text.contains(name), outcome.comment)
            }
        }

        @Test("a wrong setting is status 2 and one line, and nothing starts")
        func settings() throws {
            let file = house.path("speaker.yaml")
            try "name: kitchen\nport: 77000\n".write(toFile: file, atomically: true, encoding: .utf8)
            let state = house.path("never")
            let outcome = try house.speaker(["--config", file, "--device", "null", "--state-dir", state])
            #expect(outcome.code == 2, outcome.comment)
            #expect(outcome.complaints == ["tutti-speaker: \(file):2: port: 77000 is not a number from 0 to 65535"])
            #expect(!FileManager.default.fileExists(atPath: state))
            let flag = try house.speaker(["--device", "hv:1", "--state-dir", state])
            #expect(flag.code == 2 && flag.complaints.count == 1 && flag.text.contains("hv:1 is not"), flag.comment)
            #expect(!FileManager.default.fileExists(atPath: state))
        }

        @Test("a UDP port that is taken is said once; the group's clock is at another, and the room plays")
        func takenClockPort() throws {
            let other = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(other) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(other, $0, length) == 0 && getsockname(other, $0, &length) == 0
                }
            }
            #expect(isBound)
            let speaker = try house.startSpeaker("k", port: UInt16(bigEndian: address.sin_port))
            let complaints = speaker.words.split(separator: "\n").filter {
                $0.contains("UDP port \(speaker.port) is in use")
            }
            #expect(complaints.count == 1, "\(speaker.words)")
            let song = try house.writeSong("good", seconds: 3)
            let outcome = try house.tutti("play", house.path("good.flac"), "--room", speaker.room)
            #expect(outcome.code == 0, outcome.comment)
            house.endSpeakers()
            let report = try house.compare(song)
            #expect(report.rooms[0].completeness >= 99, "\(report.table)")
        }

        @Test("a card that is not there when the speaker starts is said once, waited for, and played on when it comes")
        func lateCard() throws {
            let song = try house.writeSong("good", seconds: 3)
            let plugin = house.path("card.so")
            let speaker = try house.startSpeaker(on: LabCard(name: "late", directory: house.folder), plugin: plugin)
            let check = ["check", "--port", "\(speaker.port)"]
            #expect(try house.speaker(check).code == 1)
            usleep(2_500_000)
            #expect(
                speaker.words.split(separator: "\n").filter { $0.contains("no sound") }.count == 1, "\(speaker.words)")
            try FileManager.default.createSymbolicLink(
                atPath: plugin, withDestinationPath: LabSite.programs.cardPlugin)
            let isSaid = house.eventually(within: 3) { speaker.words.contains("output device open") }
            #expect(isSaid, "\(speaker.words)")
            let healthy = try house.speaker(check)
            #expect(healthy.code == 0, healthy.comment)
            let outcome = try house.tutti("play", house.path("good.flac"), "--room", speaker.room)
            #expect(outcome.code == 0, outcome.comment)
            house.endSpeakers()
            let report = try house.compare(song)
            #expect(report.rooms[0].completeness >= 99 && report.rooms[0].gaps.isEmpty, "\(report.table)")
        }

        @Test("^C stops all rooms at one moment")
        func interrupt() throws {
            let song = try house.writeSong("long", seconds: 8)
            try house.startSpeaker("k", ppm: 60)
            try house.startSpeaker("b", ppm: -60)
            let player = try house.start(["play", house.path("long.flac")] + house.rooms)
            #expect(house.eventually(within: 5) { player.1.contents.contains("b: playing") }, "\(player.1.contents)")
            usleep(1_500_000)
            player.0.send(SIGINT)
            let outcome = house.finish(player, within: 3)
            #expect(outcome.code == 0, outcome.comment)
            house.endSpeakers()
            let report = try house.compare(song)
            #expect(report.rooms.allSatisfy { $0.completeness < 60 && $0.gaps.isEmpty }, "\(report.table)")
            #expect(report.all.count > 5 && report.all.max < 1000, "\(report.table)")
        }
    }
}

extension String {
    /// What is in the file at this path.
    var contents: String { (try? String(contentsOfFile: self, encoding: .utf8)) ?? "" }
}
