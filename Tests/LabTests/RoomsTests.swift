import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    @Suite("Rooms", .serialized, .enabled(if: LabSite.rooms.isMet, LabSite.rooms.comment))
    struct RoomsTests {
        /// The song's length: long enough for clocks 140 ppm apart to be 2.8 ms apart at its end without correction.
        private static let seconds = 20.0
        private static let rooms = [71, 72, 73].enumerated().map { index, seed in
            BenchCase.Room("h\(index + 1)", .lan, cardSeed: seed)
        }

        @Test("three rooms play one song in step, from the first sound to the end", .timeLimit(.minutes(3)))
        func song() throws {
            let bench = BenchCase(
                "song", "cards from the population over lan", rooms: Self.rooms, seconds: Self.seconds, seed: 11)
            let runner = BenchRunner(programs: LabSite.programs, directory: try LabSite.folder("song"))
            let result = runner.runTutti(bench)
            print(BenchResult.table([result]))
            #expect(result.failure == nil)
            #expect(result.exitCode == 0)

            let comparison = try #require(result.comparison)
            for room in comparison.rooms {
                #expect(room.completeness >= 99, "\(room.name) played \(room.completeness) % of the song")
                #expect(try #require(room.contentDecibels) >= 40, "\(room.name) played the song itself")
                #expect(room.jumps == 0)
            }
            #expect(comparison.pairs.count == 3)
            for pair in comparison.pairs {
                let first = try #require(pair.firstOffset, "\(pair.first) and \(pair.second) played together")
                #expect(abs(first) < 1000, "µs at the first sound")
                #expect(pair.whole.max < 1000, "µs between \(pair.first) and \(pair.second)")
                #expect(pair.offsets.count > Int(Self.seconds * 5), "most of the song was compared")
            }
            try check(statusFile: try #require(result.statusFile))
        }

        /// What `tutti status --json` said while the song played.
        private func check(statusFile: String) throws {
            let lines = try String(contentsOfFile: statusFile, encoding: .utf8).split(separator: "\n")
            let all = try lines.map { line in
                try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let playing = all.filter { $0["state"] as? String == "playing" }
            #expect(playing.count >= 10)
            let positions = playing.compactMap { $0["position"] as? Double }
            #expect(positions.count == playing.count && positions == positions.sorted())
            #expect(try #require(positions.last) > Self.seconds / 2)

            let status = playing[playing.count / 2]
            #expect(status["rate"] as? Double == 1)
            let item = try #require(status["item"] as? [String: Any])
            #expect(item["index"] as? Int == 0)
            #expect(abs(try #require(item["duration"] as? Double) - Self.seconds) < 0.01)
            #expect((item["uri"] as? String)?.hasSuffix("song-48000-20.flac") == true)
            for key in ["title", "artist", "album"] { #expect(item.keys.contains(key), "item.\(key)") }
            let queue = try #require(status["queue"] as? [String: Any])
            #expect(queue["length"] as? Int == 1 && queue["index"] as? Int == 0)
            try check(rooms: try #require(status["rooms"] as? [[String: Any]]))
        }

        private func check(rooms: [[String: Any]]) throws {
            #expect(rooms.compactMap { $0["name"] as? String }.sorted() == ["h1", "h2", "h3"])
            let keys = [
                "id", "address", "state", "volume", "muted", "outputDelayMs", "loaded", "likelyToKeepUp", "stalls",
                "xruns",
                "syncErrorUs", "syncErrorP99Us", "clockOffsetSigmaUs", "clockDriftPpm", "dacPpm", "rttUs", "codec",
                "format",
            ]
            let ppm = Dictionary(uniqueKeysWithValues: Self.rooms.map { ($0.name, $0.ppm) })
            for room in rooms {
                let name = try #require(room["name"] as? String)
                for key in keys { #expect(room.keys.contains(key), "\(name).\(key)") }
                #expect(room["state"] as? String == "playing")
                #expect(room["stalls"] as? Int == 0)
                #expect((room["loaded"] as? [[Double]])?.isEmpty == false)
                let card = try #require(room["dacPpm"] as? Double)
                #expect(abs(card - (try #require(ppm[name]))) < 30, "\(name) knows its card")
            }
        }
    }
}
