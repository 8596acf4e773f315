import Foundation
import Synchronization
import TestSupport
import Testing
import TuttiCodecs
import TuttiCore
import TuttiHost
import TuttiSender

@Suite(.serialized, .repeatedWhenDisturbed) struct RoomStreamTests {
    /// A stream to fake speakers, and what it told.
    private final class Stage: Sendable {
        let stream: RoomStream
        private let told: Told

        private final class Told: Sendable {
            let rooms = Mutex([String]())
        }

        init(_ speakers: [FakeSpeaker]) throws {
            let told = Told()
            self.told = told
            stream = try RoomStream(
                speakers.map(\.room), name: "test", trust: nil, clock: HostClock(), maximumBytes: 1 << 26
            ) { news in
                if case .room(let name, let event, _) = news { told.rooms.withLock { $0.append("\(name) \(event)") } }
            }
        }

        deinit { stream.close() }

        var rooms: [String] { told.rooms.withLock { $0 } }

        /// Starts at `media` as soon as can be.
        func play(at media: MediaTime = .zero) {
            stream.move(rate: 1, media: media, at: HostClock().now().advanced(byNanoseconds: 100_000_000))
        }

        func flush(from time: MediaTime?) async -> Bool {
            await withCheckedContinuation { continuation in
                stream.flush(from: time) { continuation.resume(returning: $0) }
            }
        }
    }

    private static let rate = 48_000

    /// The left sample of a frame, of one edition of the sound.
    private static func sample(_ frame: Int, _ edition: Int) -> Int16 {
        Int16(truncatingIfNeeded: frame &* 31 &+ edition &* 1_001)
    }

    private static func time(_ frame: Int) -> MediaTime { MediaTime(frame: Int64(frame), sampleRate: rate) }

    /// 16-bit stereo frames.
    private static func buffer(_ frames: Range<Int>, edition: Int = 0) throws -> SampleBuffer {
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: rate, channelCount: 2, bitDepth: 16))
        let data = frames.flatMap { frame -> [UInt8] in
            let bits = UInt16(bitPattern: sample(frame, edition))
            let bytes = [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
            return bytes + bytes
        }
        return try #require(
            SampleBuffer(
                format: format, presentationTime: time(frames.lowerBound), frameCount: frames.count, data: data))
    }

    /// What a speaker holds from the first frame on, decoded; as far as it is one track.
    private static func sound(of speaker: FakeSpeaker) throws -> [Int16] {
        var sound: [Int16] = []
        var decoders: [AudioFormat: any PacketDecoder] = [:]
        for packet in speaker.inspect({ $0.packets }).sorted(by: { $0.presentationTime < $1.presentationTime }) {
            // Behind a hole that was filled a room may get again what it has; this one keeps both.
            if packet.presentationTime < time(sound.count) { continue }
            guard packet.presentationTime == time(sound.count) else { break }
            let decoder = try decoders[packet.format] ?? Codecs.makeDecoder(for: packet.format)
            decoders[packet.format] = decoder
            let samples = try decoder.decode(packet).samples
            sound += stride(from: 0, to: samples.count, by: 2).map { Int16(samples[$0] * 32_768) }
        }
        return sound
    }

    /// Waits until `speaker` holds exactly this: the frames' editions, one after the other.
    private static func holds(_ speaker: FakeSpeaker, _ parts: [(Range<Int>, edition: Int)]) async throws {
        let expected = parts.flatMap { part in part.0.map { sample($0, part.edition) } }
        try await eventually("it holds \(parts)") { (try? sound(of: speaker)) == expected }
    }

    @Test func buffersInAnyOrderArriveInOrder() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let stage = try Stage([speaker])
        for second in [3, 0, 5, 1, 4, 2] {
            stage.stream.insert(try Self.buffer(second * Self.rate..<(second + 1) * Self.rate))
            try await Task.sleep(for: .milliseconds(40))
        }
        try await Self.holds(speaker, [(0..<6 * Self.rate, 0)])
        #expect(speaker.inspect { $0.packets.allSatisfy { $0.format.codec == .flac } })
    }

    @Test func whatIsReplacedIsSentAnewFromThere() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let stage = try Stage([speaker])
        stage.stream.insert(try Self.buffer(0..<4 * Self.rate))
        stage.play()
        try await Self.holds(speaker, [(0..<4 * Self.rate, 0)])
        // Within what a packet holds.
        let place = 2 * Self.rate + 1_234
        stage.stream.insert(try Self.buffer(place..<place + Self.rate, edition: 1))
        try await Self.holds(
            speaker, [(0..<place, 0), (place..<place + Self.rate, 1), (place + Self.rate..<4 * Self.rate, 0)])
        let from = try #require(speaker.inspect { $0.flushedFrom }.last ?? nil)
        #expect(from <= Self.time(place) && from > Self.time(place - 4_608))
    }

    @Test func aFlushThatComesInTimeLeavesWhatIsBeforeIt() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let stage = try Stage([speaker])
        stage.stream.insert(try Self.buffer(0..<5 * Self.rate))
        stage.play()
        try await Self.holds(speaker, [(0..<5 * Self.rate, 0)])
        #expect(await stage.flush(from: Self.time(3 * Self.rate + 5)))
        try await Self.holds(speaker, [(0..<3 * Self.rate + 5, 0)])
        #expect(await stage.flush(from: .zero) == false)
        stage.stream.insert(try Self.buffer(3 * Self.rate + 5..<4 * Self.rate, edition: 2))
        try await Self.holds(speaker, [(0..<3 * Self.rate + 5, 0), (3 * Self.rate + 5..<4 * Self.rate, 2)])
    }

    @Test func aFlushThatOneRoomDoesNotAnswerDropsNothingInAnyRoom() async throws {
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        let stage = try Stage(speakers)
        stage.stream.insert(try Self.buffer(0..<20 * Self.rate))
        stage.stream.setEnd(Self.time(20 * Self.rate))
        for speaker in speakers { try await Self.holds(speaker, [(0..<20 * Self.rate, 0)]) }
        stage.play()
        try await eventually("they play") { speakers.allSatisfy(\.wasStarted) }
        speakers[1].stopsReading()
        #expect(await stage.flush(from: Self.time(12 * Self.rate)) == false)
        try await Self.holds(speakers[0], [(0..<20 * Self.rate, 0)])
        try await eventually("the end is known") { speakers[0].inspect { $0.end } == Self.time(20 * Self.rate) }
    }

    @Test func whileOneRoomIsSilentNoneIsToldToDropAnything() async throws {
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        let stage = try Stage(speakers)
        stage.stream.insert(try Self.buffer(0..<20 * Self.rate))
        for speaker in speakers { try await Self.holds(speaker, [(0..<20 * Self.rate, 0)]) }
        stage.play()
        try await eventually("they play") { speakers.allSatisfy(\.wasStarted) }
        speakers[1].fallsSilent()
        try await Task.sleep(for: .seconds(3))
        #expect(await stage.flush(from: Self.time(15 * Self.rate)) == false)
        #expect(speakers[0].inspect { $0.flushes } == 0)
    }

    @Test func theEndIsForgottenWhenMoreComes() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let stage = try Stage([speaker])
        stage.stream.insert(try Self.buffer(0..<Self.rate))
        stage.stream.setEnd(Self.time(Self.rate))
        try await Self.holds(speaker, [(0..<Self.rate, 0)])
        try await eventually("the end is known") { speaker.inspect { $0.end } == Self.time(Self.rate) }
        stage.stream.insert(try Self.buffer(Self.rate..<2 * Self.rate))
        try await Self.holds(speaker, [(0..<2 * Self.rate, 0)])
        #expect(speaker.inspect { $0.end } == nil)
        stage.stream.setEnd(Self.time(2 * Self.rate))
        try await eventually("the new end is known") { speaker.inspect { $0.end } == Self.time(2 * Self.rate) }
    }

    @Test func packetsThatRoomsDecodeTravelAsTheyAre() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let stage = try Stage([speaker])
        let encoder = try Codecs.makeEncoder(codec: .opus, sourceRate: Self.rate, channels: 2, bitDepth: 16)
        let packets =
            try encoder.encode([Float](repeating: 0.1, count: Self.rate)) + encoder.finish()
        var place = MediaTime.zero
        var buffers: [SampleBuffer] = []
        for packet in packets {
            let buffer = try #require(
                SampleBuffer(
                    format: encoder.format, presentationTime: place, frameCount: packet.frameCount,
                    trimAtStart: packet.trimAtStart, trimAtEnd: packet.trimAtEnd, data: packet.data))
            guard buffer.audibleFrameCount > 0 else { continue }
            place = buffer.timeRange.end
            buffers.append(buffer)
            stage.stream.insert(buffer)
        }
        try await eventually("all have come") { speaker.inspect { $0.packets.count } == buffers.count }
        #expect(speaker.inspect { $0.packets.map(\.data) } == buffers.map(\.data))
    }

    @Test func aRoomThatComesBackFallsInAndTheOtherPlaysOn() async throws {
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        let stage = try Stage(speakers)
        stage.stream.insert(try Self.buffer(0..<20 * Self.rate))
        for speaker in speakers { try await Self.holds(speaker, [(0..<20 * Self.rate, 0)]) }
        stage.play()
        try await eventually("it plays") { speakers.allSatisfy(\.wasStarted) }
        try await Task.sleep(for: .milliseconds(300))
        speakers[1].restart()
        try await eventually("it is filled from the playhead") {
            let packets = speakers[1].inspect { $0.packets }
            return packets.last?.timeRange.end == Self.time(20 * Self.rate)
                && packets.first.map { $0.presentationTime > .zero } == true && speakers[1].wasStarted
        }
        #expect(stage.rooms.contains("bath lost"))
        #expect(!stage.rooms.contains("kitchen lost") && speakers[0].inspect { $0.flushes } == 0)
    }

    @Test func gainIsTheRoomsVolumeFromTheFirstChangeOn() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let stage = try Stage([speaker])
        stage.stream.setGain(1, rampMilliseconds: 0)
        try await eventually("it is there") { stage.rooms.contains("kitchen connected") }
        try await Task.sleep(for: .milliseconds(200))
        #expect(speaker.inspect { $0.volumes }.isEmpty)
        stage.stream.setGain(0.125, rampMilliseconds: 20)
        stage.stream.setGain(1, rampMilliseconds: 20)
        try await eventually("both are told") { speaker.inspect { $0.volumes.count } == 2 }
        #expect(speaker.inspect { abs($0.volumes[0] - 25) < 1e-3 && $0.volumes[1] == 100 })
    }

    @Test func closingSaysGoodbye() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let stage = try Stage([speaker])
        try await eventually("it is there") { stage.rooms.contains("kitchen connected") }
        stage.stream.close()
        try await eventually("goodbye") { !speaker.inspect { $0.goodbyes }.isEmpty }
    }
}
