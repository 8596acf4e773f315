import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiDecoding
import TuttiSender

/// A tone that is cut into files of all kinds comes out of a speaker's decoders as one tone.
@Suite(.serialized, .repeatedWhenDisturbed, .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct JoinedToneTests {
    private static let all = ["flac", "opus", "pcm", "aac", "alac", "mp3", "vorbis"]
    /// Divide by no codec's packet length.
    private static let halves = [60_029, 50_021]

    /// A frame as it is heard.
    struct Heard {
        let seconds: Double
        let left: Double
    }

    /// What a speaker hears of files that are played to their end.
    private func heard(_ files: [String], keepsOriginals: Bool, crossfade: Double = 0) async throws
        -> (sound: [Heard], codecs: [AudioFormat.Codec], end: MediaTime)
    {
        let speaker = try await FakeSpeaker("kitchen", codecs: Self.all)
        let harness = try PlayerHarness(
            files, [speaker.room], keepsOriginals: keepsOriginals, crossfade: crossfade)
        _ = try await harness.run { player in
            try await eventually("all is held") {
                speaker.inspect { state in state.end != nil && state.packets.last?.timeRange.end == state.end }
            }
            await player.stop()
        }
        let packets = speaker.inspect { $0.packets }
        for (packet, next) in zip(packets, packets.dropFirst()) {
            #expect(packet.timeRange.end == next.presentationTime)
        }
        let playback = PacketPlayback { format throws(CodecError) in try Decoders.make(for: format) }
        var sound: [Heard] = []
        var codecs: [AudioFormat.Codec] = []
        for packet in packets {
            if codecs.last != packet.format.codec { codecs.append(packet.format.codec) }
            let samples = playback.play(packet) { [] }
            let (begin, rate) = (packet.presentationTime.seconds, Double(packet.format.sampleRate))
            for frame in 0..<samples.count / 2 {
                sound.append(Heard(seconds: begin + Double(frame) / rate, left: Double(samples[2 * frame])))
            }
        }
        #expect(playback.damagedCount == 0)
        return (sound, codecs, packets.last?.timeRange.end ?? .zero)
    }

    /// The worst departure from `expected` in a span of seconds.
    private func worst(
        _ sound: [Heard], _ seconds: ClosedRange<Double>, _ expected: (Double) -> Double = ToneFiles.value
    ) -> Double {
        sound.filter { seconds.contains($0.seconds) }.reduce(0) { max($0, abs($1.left - expected($1.seconds))) }
    }

    @Test(arguments: ToneFiles.codings, [false, true]) func twoHalvesAreOneTone(
        coding: ToneFiles.Coding, keepsOriginals: Bool
    ) async throws {
        let files = try ToneFiles()
        for frames in Self.halves { try files.add(coding, frames: frames) }
        let (sound, codecs, end) = try await heard(files.paths, keepsOriginals: keepsOriginals)
        #expect(codecs.count == 1 && (keepsOriginals || codecs == [.flac]))
        #expect(end == MediaTime(frame: Int64(Self.halves.reduce(0, +)), sampleRate: coding.rate))
        let seam = Double(Self.halves[0]) / Double(coding.rate)
        // One frame too many or too few is a step of 0.03 everywhere behind it; silence is one of 0.5.
        #expect(worst(sound, seam - 0.005...seam + 0.005) < 0.1)
        #expect(worst(sound, seam + 0.1...seam + 0.2) < 0.02)
    }

    @Test(arguments: [false, true]) func filesOfAllKindsAndRatesAreOneTone(keepsOriginals: Bool) async throws {
        let files = try ToneFiles()
        var seams: [Double] = []
        var codings = ToneFiles.codings
        codings[1].rate = 48_000
        codings[3].rate = 96_000
        for (index, coding) in codings.enumerated() {
            // Whole thousandths of the tone's period on either side, so that no seam lies between frames.
            try files.add(coding, frames: coding.rate + index * coding.rate / 100)
            seams.append(files.seconds)
        }
        let (sound, codecs, end) = try await heard(files.paths, keepsOriginals: keepsOriginals)
        #expect(codecs == (keepsOriginals ? [.mp3, .aac, .alac, .flac, .opus] : [.flac]))
        #expect(abs(end.seconds - files.seconds) < 1e-9)
        for seam in seams.dropLast() {
            #expect(worst(sound, seam - 0.005...seam + 0.005) < 0.1, "at \(seam)")
            #expect(worst(sound, seam + 0.1...seam + 0.2) < 0.02, "at \(seam)")
        }
    }

    /// Raw AAC says neither where its sound begins nor where it ends: all that its packets decode to is heard.
    @Test(arguments: [false, true]) func rawAACIsHeardWholeAndWhatFollowsBeginsBehindIt(keepsOriginals: Bool)
        async throws
    {
        let files = try ToneFiles()
        let raw = ToneFiles.Coding(ending: "aac", options: ["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"])
        try files.add(raw, frames: 50_000)
        try files.add(ToneFiles.Coding(ending: "flac"), frames: 40_000)
        let asset = try Asset.open(AssetInput(uri: files.paths[0]))
        var frames = 0
        while let block = try asset.read(maximumFrames: 65_536) { frames += block.frameCount }
        #expect(frames % 1_024 == 0 && (50_000..<53_000).contains(frames))
        let (sound, _, end) = try await heard(files.paths, keepsOriginals: keepsOriginals)
        #expect(end == MediaTime(frame: Int64(frames + 40_000), sampleRate: 44_100))
        let shift = Double(frames - 50_000) / 44_100
        let begin = Double(frames) / 44_100
        #expect(worst(sound, begin...begin + 0.5) { ToneFiles.value(at: $0 - shift) } < 1e-4)
    }

    @Test func originalsAreMixedAsFLACAndTravelAsTheyAreBeforeAndBehind() async throws {
        let files = try ToneFiles()
        for (index, coding) in ToneFiles.codings.enumerated() {
            try files.add(coding, frames: 3 * coding.rate + 1_001 * index)
        }
        let (sound, codecs, end) = try await heard(files.paths, keepsOriginals: true, crossfade: 0.5)
        #expect(codecs == [.mp3, .flac, .aac, .flac, .alac, .flac, .opus])
        // MP3's own count of its frames may include a tenth of a second of padding.
        #expect(abs(end.seconds - (files.seconds - 2)) < 0.1)
        #expect(worst(sound, 0.2...2.3) < 0.02)
        #expect(sound.allSatisfy { abs($0.left) < 0.8 })
    }

    @Test(arguments: [44_100, 48_000, 32_000]) func anEndingOfAnotherRateIsMixedWhereItBelongs(rate: Int) async throws {
        let files = try ToneFiles()
        try files.add(ToneFiles.Coding(ending: "flac", rate: rate), frames: 3 * rate)
        try files.add(ToneFiles.Coding(ending: "flac", rate: 44_100), frames: 3 * 44_100, isSilent: true)
        let (sound, _, end) = try await heard(files.paths, keepsOriginals: false, crossfade: 1)
        #expect(end == MediaTime(frame: 5, sampleRate: 1))
        #expect(worst(sound, 0...2) < 1e-4)
        let off = worst(sound, 2...2.999) { ToneFiles.value(at: $0) * cos(($0 - 2) * .pi / 2) }
        #expect(off < 1e-4, "off by \(off)")
        #expect(worst(sound, 3.001...5) { _ in 0 } == 0)
    }
}
