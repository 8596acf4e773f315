import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiRooms
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

    @Test("A station is heard later after a pause, and goes on with what is live from wherever it is asked to")
    func shift() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 44_100, rate: 44_100)
        let body = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let server = try RadioServer(.station(titles: ["One"]), body: body, type: "audio/x-wav")
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([server.address("live")], [speaker.room])
        _ = try await harness.run { player in
            try await eventually("it plays") { await player.status().position > 0.3 }
            #expect(try #require(await player.status().behind) < 0.5)
            try await player.pause()
            try await Task.sleep(for: .seconds(3))
            try await player.resume()
            try await eventually("it is behind") { await (2.5..<8).contains(player.status().behind ?? 0) }
            // Before, it would have been silent for so long.
            let requests = server.requests
            try await player.seek(.to(MediaTime(frame: 50_000, sampleRate: 1)))
            try await eventually("it has connected anew") { server.requests > requests }
            try await eventually("it is live") {
                let status = await player.status()
                return status.state == .playing && status.position < 20 && status.behind ?? 9 < 0.5
            }
            await player.stop()
        }
    }

    @Test("What has an end is not live")
    func ended() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 10 * 44_100, rate: 44_100)
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([file], [speaker.room])
        _ = try await harness.run { player in
            try await eventually("it plays") { await player.status().position > 0.1 }
            await #expect(throws: SenderError.self) { try await player.seek(.live) }
            #expect(await player.status().behind == nil)
            await player.stop()
        }
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
