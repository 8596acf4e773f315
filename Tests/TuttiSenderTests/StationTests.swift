import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiSchema
import TuttiSender

@Suite("Stations", .serialized) struct StationTests {
    @Test("Titles show when their sound is heard, with the station's name beside them")
    func titles() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 4 * 44_100, rate: 44_100)
        let body = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let server = try RadioServer(.station(titles: ["One - Dawn", "Two - Noon"]), body: body, type: "audio/x-wav")
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([server.address("live")], [speaker.room])
        let events = await harness.player.events()
        async let outcome = harness.run()
        var shown: [(title: String?, station: String?, position: Double)] = []
        for await event in events {
            guard case .item(let item) = event else { continue }
            shown.append((item.title, item.station, await harness.player.status().position))
            // A station would be joined again at its end.
            if item.title == "Two - Noon" { await harness.player.stop() }
        }
        _ = try await outcome
        #expect(shown.last?.title == "Two - Noon" && shown.last?.station == "Loopback FM", "\(shown)")
        #expect(shown.map(\.title).contains("One - Dawn"), "\(shown)")
        // The second title comes in the middle of the four seconds.
        #expect((1.7..<2.8).contains(try #require(shown.last).position), "\(shown)")
    }

    @Test("A file that is always cut off fails with one line, and the queue goes on")
    func cutOff() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 44_100, rate: 44_100)
        let body = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let server = try RadioServer(.cutOff(ranges: false, times: .max), body: body, type: "audio/x-wav")
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([server.address("a.wav"), file], [speaker.room])
        let events = await harness.player.events()
        async let outcome = harness.run()
        var failures: [String] = []
        for await event in events {
            if case .itemFailed(_, _, let message, _) = event { failures.append(message) }
        }
        #expect(try await outcome.exitCode == 1)
        #expect(failures.count == 1 && failures[0].contains("the server closed the connection after"), "\(failures)")
        #expect(server.requests == 5)
        let seconds = speaker.inspect { $0.end?.seconds } ?? 0
        #expect((1.4..<1.6).contains(seconds), "\(seconds)")
    }
}
