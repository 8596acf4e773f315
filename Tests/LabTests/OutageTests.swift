import Testing
import TuttiLab

extension BehaviourTests {
    /// Programs and links that go away and come back: what the rooms recorded says that the music did not stop.
    @Suite("Outages", .serialized, .enabled(if: LabSite.rooms.isMet, LabSite.rooms.comment))
    struct OutageTests {
        @Test("speakers that are killed, or stand still, are back in step in two seconds; the others play on")
        func speakers() throws {
            let outage = try Outage(.restart, cards: 40)
            let (result, report) = (outage.result, outage.report)
            let said = outage.said
            #expect(result.exitCode == 0)
            outage.expectMusic(in: report.rooms[0])
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
            let outage = try Outage(.network, cards: 50)
            let (result, report) = (outage.result, outage.report)
            let (words, said) = (outage.words, outage.said)
            #expect(result.exitCode == 0)
            for room in report.rooms {
                outage.expectMusic(in: room)
                #expect(room.completeness >= 99, "\(room.name)\n\(said)")
            }
            #expect(try outage.lastStatus(of: "h1")["address"] as? String == "10.77.0.99:7700")
            #expect(words.contains("large packets get lost"), "\(words)")
        }
    }
}
