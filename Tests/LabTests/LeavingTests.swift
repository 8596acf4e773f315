import Foundation
import Testing
import TuttiLab

extension MeasurementTests {
    /// Senders and leaders that go away, and links that carry too little: how far apart the rooms that play on are.
    @Suite("Outages, measured", .enabled(if: LabSite.rooms.isMet, LabSite.rooms.comment))
    struct LeavingTests {
        @Test(
            "a sender that is killed: the rooms play what they hold, together, also when one of them is cut off for a while"
        )
        func sender() throws {
            let outage = try Outage(.outage, cards: 20)
            let (result, report) = (outage.result, outage.report)
            let said = outage.said
            outage.expectAllPlayOn()
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
            let outage = try Outage(.takeover, cards: 30)
            let (result, said) = (outage.result, outage.said)
            outage.expectAllPlayOn()
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

        @Test(
            "rooms whose links are too slow get something thinner, or stall alone and say so; the others do not notice")
        func slow() throws {
            let outage = try Outage(.slow, cards: 60)
            let (result, report) = (outage.result, outage.report)
            let (words, said) = (outage.words, outage.said)
            outage.expectMusic(in: report.rooms[0])
            #expect(report.rooms[0].completeness >= 90)
            #expect(try outage.lastStatus(of: "h1")["codec"] as? String == "flac")
            #expect(try outage.lastStatus(of: "h2")["codec"] as? String == "opus", "\(words)")
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
