import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

@Suite(.serialized, .repeatedWhenDisturbed) struct RateTests {
    /// What the speaker holds, as 16-bit samples of the left channel.
    private func left(_ speaker: FakeSpeaker) -> [Int16] {
        speaker.inspect { $0.packets.flatMap(\.data) }.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 3, by: 4).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self))
            }
        }
    }

    private func isWhole(_ speaker: FakeSpeaker) -> Bool {
        speaker.inspect { state in
            zip(state.packets, state.packets.dropFirst()).allSatisfy { $0.timeRange.end == $1.presentationTime }
        }
    }

    private func load(rate: Double, sampleRate: Int) async throws -> (samples: [Int16], end: MediaTime) {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 4 * sampleRate, rate: sampleRate)
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([file], [speaker.room], codec: .pcm, rate: rate)
        _ = try await harness.run { player in
            try await eventually("all is loaded") {
                speaker.inspect { state in state.end != nil && state.packets.last?.timeRange.end == state.end }
            }
            #expect(isWhole(speaker))
            await player.stop()
        }
        return (left(speaker), speaker.inspect { $0.end } ?? .zero)
    }

    @Test func atRateOneNothingIsTouched() async throws {
        let (samples, end) = try await load(rate: 1, sampleRate: 44_100)
        #expect(end == MediaTime(frame: 4, sampleRate: 1))
        #expect(samples == (0..<4 * 44_100).map { Int16(truncatingIfNeeded: $0 &* 7) })
    }

    @Test(arguments: [0.5, 1.25, 2]) func aPieceIsExactlySoMuchShorterOrLonger(rate: Double) async throws {
        let (samples, end) = try await load(rate: rate, sampleRate: 44_100)
        let frames = Int((4 * 44_100 / rate).rounded())
        #expect(samples.count == frames)
        #expect(end == MediaTime(frame: Int64(frames), sampleRate: 44_100))
    }

    @Test func anotherRateGoesOnFromThePlaceThatIsHeard() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 11_025, rate: 11_025)
        let speaker = try await FakeSpeaker("kitchen")
        _ = try await PlayerHarness([file], [speaker.room]).run { player in
            try await eventually("all is loaded") { speaker.wasStarted && speaker.inspect { $0.end != nil } }
            try await eventually("the player knows") { await player.status().rooms[0].loaded.end?.seconds == 60 }
            try await player.seek(.to(MediaTime(frame: 20, sampleRate: 1)))
            try await eventually("there") { await player.status().position > 20.1 }
            try await player.setRate(2)
            let moved = await player.status()
            #expect((20.1...21).contains(moved.position) && moved.item?.duration == 60)
            try await eventually("it plays on") { speaker.inspect { $0.flushes == 1 && $0.timebases.last?.rate == 1 } }
            #expect(speaker.inspect { $0.packets.first?.presentationTime == $0.timebases.last?.media })
            let end = speaker.inspect { $0.packets.first?.presentationTime.seconds ?? 0 } + (60 - moved.position) / 2
            try await eventually("all is loaded") { speaker.inspect { abs(($0.end?.seconds ?? 0) - end) < 0.01 } }
            #expect(isWhole(speaker))
            let begin = ContinuousClock.now
            let (before, start) = (await player.status(), ContinuousClock.now)
            #expect(before.rate == 2 && before.item?.duration == 60)
            try await Task.sleep(for: .milliseconds(400))
            let least = (ContinuousClock.now - start) / .seconds(1)
            let passed = await player.status().position - before.position
            let most = (ContinuousClock.now - begin) / .seconds(1)
            #expect((1.9 * least - 0.1...2.1 * most).contains(passed), "\(passed) s of it in \(least) to \(most) s")
            // Places are those of the track, as ever, and the rooms hold it to its end.
            try await player.seek(.to(MediaTime(frame: 40, sampleRate: 1)))
            try await eventually("there too") { (40...41).contains(await player.status().position) }
            #expect(speaker.inspect { $0.flushes } == 1)
            try await eventually("the player knows") {
                abs((await player.status().rooms[0].loaded.end?.seconds ?? 0) - 60) < 0.01
            }
            try await player.pause()
            let held = await player.status()
            #expect(held.rate == 0)
            try await player.setRate(1)
            #expect(abs(await player.status().position - held.position) < 0.001)
            await player.stop()
        }
    }

    @Test(arguments: [0, 0.49, 2.01, -1, .nan, .infinity]) func ratesThatThereAreNotAreRefused(rate: Double)
        async throws
    {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        _ = try await PlayerHarness([file], [speaker.room]).run { player in
            try await eventually("it plays") { speaker.wasStarted }
            await #expect(throws: SenderError.badOption("a rate is from 0.5 to 2")) { try await player.setRate(rate) }
            #expect(speaker.inspect { $0.flushes } == 0)
            await player.stop()
        }
    }

    @Test func whatIsMutedIsAsLoudAfterwardsAsBefore() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 11_025, rate: 11_025)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        _ = try await PlayerHarness([file], speakers.map(\.room)).run { player in
            try await eventually("both play") { speakers.allSatisfy(\.wasStarted) }
            try await player.setVolume(.to(40), room: nil)
            try await player.setMuted(true, room: "bath")
            try await player.setMuted(false, room: "bath")
            try await eventually("heard") {
                speakers.map { $0.inspect { $0.volumes } } == [[40], [40, 40, 40]]
            }
            await player.stop()
        }
    }
}
