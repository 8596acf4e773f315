import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// A reference room and two that follow it, on cards of this host: 80 ppm fast, right, and 60 ppm slow.
    @Suite("Reference room", .serialized, .enabled(if: LabSite.card.isMet, LabSite.card.comment))
    struct ReferenceTests {
        private struct Stage {
            let folder: String
            let song: String
            let rooms: [QualityRoom]

            /// - Parameter port: the first of three.
            init(_ name: String, seconds: Int, bits: Int, port: UInt16) throws {
                folder = try LabSite.folder(name)
                song = "\(folder)/noise.wav"
                var random = UInt64(88_172_645_463_325_252)
                let channels = (0..<2).map { _ in
                    (0..<48_000 * seconds).map { _ -> Float in
                        random ^= random << 13
                        random ^= random >> 7
                        random ^= random << 17
                        return Float(Int64(bitPattern: random) >> (64 - bits)) / Float(1 << (bits + 1))
                    }
                }
                try WaveFile(sampleRate: 48_000, channels: channels).write(to: song, bits: bits)
                let format = bits == 16 ? "S16_LE" : "S24_3LE"
                rooms = try [("fast", 80.0), ("right", 0), ("slow", -60)].enumerated().map { index, room in
                    try QualityRoom(
                        room.0, in: try LabSite.folder(name + "/" + room.0), format: format, rate: 48_000,
                        port: port + UInt16(index), ppm: room.1)
                }
            }

            func play(_ flags: [String]) throws -> ChildProcess {
                try QualityRoom.play(song, in: rooms, folder: folder, flags: flags)
            }

            func command(_ words: String...) throws -> (ending: ChildProcess.Ending?, text: String) {
                try QualityRoom.command(words, folder: folder)
            }

            func stop() { for room in rooms { room.stop() } }

            func compare() throws -> ComparisonReport {
                Comparison(
                    source: try WaveFile(path: song), cards: try rooms.map { try CardRecording(path: $0.log) }
                ).report()
            }
        }

        @Test(
            "it plays every bit, from the first frame to the last, while the others are in step with it",
            .timeLimit(.minutes(3)), arguments: [16, 24])
        func everyBit(bits: Int) throws {
            let stage = try Stage("reference-\(bits)", seconds: 14, bits: bits, port: 7_741)
            defer { stage.stop() }
            let player = try stage.play(["--reference", "fast"])
            usleep(6_000_000)
            let status = try stage.command("status", "--json").text
            #expect(player.wait(seconds: 40) == .exited(code: 0))
            stage.stop()
            #expect(status.contains(#""reference":"fast""#) && status.contains(#""bitPerfect":true"#), "\(status)")
            let source = try QualityRoom.samples(of: stage.song)
            let played = try QualityRoom.samples(of: stage.rooms[0].recording)
            let start = try #require(played.firstRange(of: source.prefix(600))?.lowerBound, "it begins with the song")
            let isWhole = played.dropFirst(start).prefix(source.count) == source
            #expect(isWhole)
            #expect(played.prefix(start).allSatisfy { $0 == 0 })
            #expect(played.dropFirst(start + source.count).allSatisfy { $0 == 0 })
            let report = try stage.compare()
            print(report.table)
            for pair in report.pairs { #expect(pair.whole.max < 1_000, "\(pair.first) and \(pair.second)") }
        }

        @Test(
            "it is killed, and another takes over: no gap and no jump in those that are left", .timeLimit(.minutes(3)))
        func taken() throws {
            let stage = try Stage("reference-taken", seconds: 75, bits: 16, port: 7_751)
            defer { stage.stop() }
            let player = try stage.play(["--reference", "fast"])
            usleep(12_000_000)
            #expect(try stage.command("reference").text == "fast\n")
            stage.rooms[0].kill()
            usleep(6_000_000)
            #expect(try stage.command("reference", "attic").ending == .exited(code: 3))
            #expect(try stage.command("reference", "right", "slow").ending == .exited(code: 2))
            #expect(try stage.command("reference", "slow").ending == .exited(code: 0))
            #expect(player.wait(seconds: 100) == .exited(code: 0) || player.poll() != nil)
            stage.stop()
            let report = try stage.compare()
            print(report.table)
            for room in report.rooms.dropFirst() {
                #expect(room.gaps.isEmpty && room.jumps == 0 && room.underruns == 0, "\(room.name): \(room.gaps)")
            }
            // What left the card at the end is the source's own.
            let source = try QualityRoom.samples(of: stage.song)
            let played = try QualityRoom.samples(of: stage.rooms[2].recording)
            let tail = source.suffix(48_000 * 4 * 5)
            #expect(played.firstRange(of: tail) != nil, "the last five seconds are the song's, bit by bit")
            let pair = try #require(report.pairs.first { $0.first == "right" && $0.second == "slow" })
            #expect(pair.whole.max < 1_000)
        }

        @Test("what cannot be the reference is named, and nothing plays", .timeLimit(.minutes(1)))
        func wrong() throws {
            let stage = try Stage("reference-wrong", seconds: 2, bits: 16, port: 7_761)
            defer { stage.stop() }
            let unknown = try stage.play(["--reference", "attic"])
            #expect(unknown.wait(seconds: 10) == .exited(code: 3))
            let two = try stage.play(["--reference", "fast", "--reference", "slow"])
            #expect(two.wait(seconds: 10) == .exited(code: 2))
            let words = try String(contentsOfFile: "\(stage.folder)/play.log", encoding: .utf8)
            #expect(words.contains("only one room can be the reference"), "\(words)")
            #expect(try stage.command("reference", "fast").ending == .exited(code: 5), "nothing plays")
        }
    }
}
