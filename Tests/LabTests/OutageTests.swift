import Foundation
import Testing
import TuttiLab

extension LabTests {
    /// Hosts, programs and links that go away: what the rooms recorded says that the music did not stop.
    @Suite("Outages", .enabled(if: LabSite.rooms.isMet, LabSite.rooms.comment))
    struct OutageTests {
        /// - Parameter seed: what the rooms' cards are drawn by.
        private func run(
            _ bench: BenchCase, cards seed: UInt64
        ) throws -> (result: BenchResult, report: ComparisonReport, words: String) {
            let bench = bench.withCards(from: seed)
            let folder = try LabSite.folder(bench.name)
            let result = BenchRunner(programs: LabSite.programs, directory: folder).runTutti(bench)
            print(BenchResult.table([result]))
            let logs = bench.servedAfter != nil ? ["s/serve", "s/serve-again", "s2/serve-again"] : ["s/tutti"]
            let words = logs.map { log in
                let path = "\(folder)/\(bench.name)-tutti-1/\(log).log"
                return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            }.joined()
            #expect(result.failure == nil, "\(words)")
            return (result, try #require(result.comparison, "\(words)"), words)
        }

        /// The last status of a room while the sender played.
        private func lastStatus(_ result: BenchResult, of room: String) throws -> [String: Any] {
            let file = try #require(result.statusFile)
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            let rooms = try lines.compactMap { line in
                let status = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return (status?["rooms"] as? [[String: Any]])?.first { $0["name"] as? String == room }
            }
            return try #require(rooms.last)
        }

        private func expectMusic(in room: ComparisonReport.Room, _ said: String) {
            #expect(room.gaps.isEmpty && room.jumps == 0, "\(room.name): \(room.gaps)\n\(said)")
            #expect(room.underruns == 0 && room.resumptions.isEmpty, "\(room.name)\n\(said)")
        }

        @Test(
            "a sender that is killed: the rooms play what they hold, together, also when one of them is cut off for a while"
        )
        func sender() throws {
            let (result, report, words) = try run(.outage, cards: 20)
            let said = "\(report.table)\n\(words)"
            for room in report.rooms {
                expectMusic(in: room, said)
                #expect(room.clicks.isEmpty, "\(room.name): \(room.clicks)\n\(said)")
            }
            #expect(report.all.p99 < 200, "\(said)")
            let killed = try #require(result.events.first).rawNanoseconds
            for pair in report.pairs {
                let last = try #require(pair.offsets.last).seconds
                let after = last - Double(killed - report.firstSoundRawNanoseconds) / 1e9
                #expect((8..<12).contains(after), "they play on for \(after) s: \(said)")
            }
        }

        @Test(
            "rooms that are added are in step within a second; a service that dies is back in two, also elsewhere; leaders come and go; no gap"
        )
        func takeover() throws {
            let (result, report, words) = try run(.takeover, cards: 30)
            let said = "\(report.table)\n\(words)"
            for room in report.rooms {
                expectMusic(in: room, said)
                #expect(room.clicks.isEmpty, "\(room.name): \(room.clicks)\n\(said)")
            }
            #expect(report.all.p99 < 200, "\(said)")
            let returns = result.figures?.returns ?? []
            #expect(returns.map(\.room) == ["h3", "h4"], "\(returns)")
            for back in returns {
                #expect(back.seconds < 1 && back.worstMicroseconds < 1000, "\(back)\n\(said)")
            }
            let feedings = try #require(result.feedings)
            try #require(feedings.count == 2)
            // One room is away the first time.
            for (feeding, rooms) in zip(feedings, [["h1", "h2", "h3"], ["h1", "h2", "h3", "h4"]]) {
                for room in rooms { #expect((feeding[room] ?? 10) < 2, "\(room): \(feedings)\n\(said)") }
            }
        }

        @Test("speakers that are killed, or stand still, are back in step in two seconds; the others play on")
        func speakers() throws {
            let (result, report, words) = try run(.restart, cards: 40)
            let said = "\(report.table)\n\(words)"
            #expect(result.exitCode == 0)
            expectMusic(in: report.rooms[0], said)
            #expect(report.rooms[0].completeness >= 99)
            let returns = result.figures?.returns ?? []
            #expect(returns.map(\.room) == ["h2", "h3"], "\(returns)")
            for back in returns {
                #expect(back.seconds < 2, "\(back)\n\(said)")
                #expect(back.worstMicroseconds < 1000, "\(back)\n\(said)")
            }
        }

        @Test(
            "lost, repeated, reordered, late and too large packets, another address, a minute without network: all rooms play on"
        )
        func network() throws {
            let (result, report, words) = try run(.network, cards: 50)
            let said = "\(report.table)\n\(words)"
            #expect(result.exitCode == 0)
            for room in report.rooms {
                expectMusic(in: room, said)
                #expect(room.completeness >= 99, "\(room.name)\n\(said)")
            }
            #expect(try lastStatus(result, of: "h1")["address"] as? String == "10.77.0.99:7700")
            #expect(words.contains("large packets get lost"), "\(words)")
        }

        @Test(
            "rooms whose links are too slow get something thinner, or stall alone and say so; the others do not notice")
        func slow() throws {
            let (result, report, words) = try run(.slow, cards: 60)
            let said = "\(report.table)\n\(words)"
            expectMusic(in: report.rooms[0], said)
            #expect(report.rooms[0].completeness >= 90)
            #expect(try lastStatus(result, of: "h1")["codec"] as? String == "flac")
            #expect(try lastStatus(result, of: "h2")["codec"] as? String == "opus", "\(words)")
            #expect(report.rooms[1].gapMilliseconds < 1000, "\(report.rooms[1].gaps)\n\(said)")
            #expect(report.pairs[0].whole.p99 < 1000 && report.pairs[0].secondHalf.p99 < 100, "\(said)")
            let folder = URL(fileURLWithPath: try #require(result.statusFile)).deletingLastPathComponent().path
            let log = try String(contentsOfFile: "\(folder)/h2/tutti-speaker.log", encoding: .utf8)
            #expect(!log.contains("leading the group clock"), "it has answers, if late ones: \(log)")
            #expect(report.rooms[2].completeness < 70, "\(said)")
            #expect(words.contains(#/h3(: its link| is lost)/#), "\(words)")
            let memory = try #require(result.loads.first?.residentMegabytes)
            #expect(memory < 150, "\(memory) MB")
        }
    }
}
