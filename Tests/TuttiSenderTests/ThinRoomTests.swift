import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiEncoding
import TuttiSender
import TuttiWire

/// Packets made thinner for a room behind a slow link.
@Suite(.repeatedWhenDisturbed) struct ThinRoomTests {
    /// FLAC of noise in packets of 4096 frames, as it comes from a track.
    private func timeline(frames: Int, rate: Int, in scratch: Scratch) async throws -> [SampleBuffer] {
        var dice = SplitMix64(seed: 5)
        let noise = (0..<frames).map { _ in Int16(truncatingIfNeeded: dice.next()) / 4 }
        let speaker = try await FakeSpeaker("k")
        let outcome = try await PlayerHarness(
            [try scratch.wave("song.wav", rate: rate, samples: noise)], [speaker.room]
        )
        .run()
        #expect(outcome.exitCode == 0)
        return speaker.inspect { $0.packets }
    }

    private func thin(_ buffers: [SampleBuffer], bitrate: Int) async -> [SampleBuffer] {
        let encoder = Transcoder(TranscodingProfile(codecs: [], opusBitrate: bitrate))
        return await withCheckedContinuation { continuation in
            encoder.encode(buffers, isEnd: true) { continuation.resume(returning: $0) }
        }
    }

    @Test(arguments: [48_000, 44_100, 96_000]) func theSoundStaysWhereItWas(rate: Int) async throws {
        let frames = rate + 1_234
        let original = try await timeline(frames: frames, rate: rate, in: try Scratch())
        let base = try #require(original.first).presentationTime
        let thin = await thin(original, bitrate: 64_000)
        #expect(thin.allSatisfy { $0.format.codec == .opus && $0.format.sampleRate == 48_000 })
        #expect(thin.first?.presentationTime == base && thin.first?.preroll != nil)
        for (packet, next) in zip(thin, thin.dropFirst()) { #expect(packet.timeRange.end == next.presentationTime) }
        let end = try #require(thin.last).timeRange.end
        let missing = abs((end - base).seconds - Double(frames) / Double(rate))
        #expect(missing <= 0.5 / 48_000 + 1e-9, "half a frame")
        let bytes = thin.reduce(0) { $0 + $1.byteCount }
        #expect(Double(bytes) * 8 / (end - base).seconds < 80_000)
        #expect(Double(bytes) < 0.5 * Double(original.reduce(0) { $0 + $1.byteCount }))
    }
}
