import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite(
    "Original packets sound in a speaker as their file does, to the frame",
    .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct SeamTests {
    /// Divide by no codec's packet length, and leave the tone near its peak.
    private static let halves = (first: 60_029, second: 50_021)

    private static func decoded(_ input: AssetInput, from time: MediaTime = .zero) throws -> [Float] {
        let asset = try Asset.open(input)
        if time.isPositive { try asset.seek(to: time) }
        var samples: [Float] = []
        while let block = try asset.read(maximumFrames: 65_536) { samples += block.samples }
        return samples
    }

    private static func worst(_ first: some Sequence<Float>, _ second: some Sequence<Float>) -> Float {
        zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    /// How far a speaker's decoder may be from the one here: another library decodes Opus.
    private static func tolerance(_ coding: SoundFiles.Coding) -> Float { coding.codec == .opus ? 1e-3 : 0 }

    @Test("Two halves of a tone join without a step", arguments: SoundFiles.codings)
    func seam(_ coding: SoundFiles.Coding) throws {
        let files = try SoundFiles()
        let (first, second) = Self.halves
        let whole = SoundFiles.tone(0..<first + second, rate: coding.rate)
        let inputs = [
            try files.encode(Array(whole.prefix(first * 2)), as: "1", coding),
            try files.encode(Array(whole.dropFirst(first * 2)), as: "2", coding),
        ]
        var wire = Wire()
        for input in inputs { try wire.send(input) }
        let played = wire.play()
        #expect(played.damaged == 0)
        #expect(played.samples.count == (first + second) * 2)
        let here = try inputs.flatMap { try Self.decoded($0) }
        #expect(here.count == played.samples.count)
        #expect(Self.worst(played.samples, here) <= Self.tolerance(coding))
        let original = whole.map { Float($0) / 32_768 }
        if coding.isLossless {
            #expect(played.samples == original)
        } else {
            // One frame too many or too few is a step of 0.03 everywhere behind it; silence is one of 0.5.
            let seam = (first - 200) * 2..<(first + 200) * 2
            #expect(Self.worst(played.samples[seam], original[seam]) < 0.1)
            let behind = (first + 5_000) * 2..<(first + 9_000) * 2
            #expect(Self.worst(played.samples[behind], original[behind]) < 0.02)
        }
    }

    @Test("Formats of all kinds follow each other to the frame")
    func mixed() throws {
        let files = try SoundFiles()
        var order = [SoundFiles.codings[1], SoundFiles.codings[0], SoundFiles.codings[2]] + SoundFiles.codings[3...]
        order[1].rate = 48_000
        order.append(order[0])
        var wire = Wire()
        var expected: [Float] = []
        var end = MediaTime.zero
        for (index, coding) in order.enumerated() {
            let sound = SoundFiles.sweep(0..<60_011 + index * 3, rate: coding.rate)
            let input = try files.encode(sound, as: "\(index)", coding)
            try wire.send(input)
            let decoded = try Self.decoded(input)
            #expect(decoded.count == sound.count, "\(coding)")
            expected += decoded
            end = end + MediaTime(frame: Int64(sound.count / 2), sampleRate: coding.rate)
        }
        let played = wire.play()
        #expect(wire.end == end)
        #expect(played.damaged == 0)
        #expect(played.samples.count == expected.count)
        #expect(Self.worst(played.samples, expected) <= 1e-3)
        #expect(played.rates == [44_100, 48_000, 44_100, 48_000, 44_100])
    }

    @Test("A sender's jump leads to the same samples as playing through", arguments: SoundFiles.codings)
    func senderSeek(_ coding: SoundFiles.Coding) throws {
        let files = try SoundFiles()
        let sound = SoundFiles.sweep(0..<150_001, rate: coding.rate)
        let input = try files.encode(sound, as: "a", coding)
        let whole = try Self.decoded(input)
        for target in [90_001, 40_000, 1_000, 149_990] {
            var wire = Wire()
            try wire.send(input, from: MediaTime(frame: Int64(target), sampleRate: coding.rate))
            let played = wire.play()
            #expect(played.damaged == 0)
            #expect(played.samples.count == (150_001 - target) * 2, "at \(target)")
            // Another library decodes Opus, and it takes a while to forget where it began.
            let tolerance: Float = coding.codec == .opus ? 1e-3 : 0
            #expect(Self.worst(played.samples, whole[(target * 2)...]) <= tolerance, "at \(target)")
        }
    }

    @Test("A jump in what the speaker holds leads to the same samples", arguments: SoundFiles.codings)
    func speakerSeek(_ coding: SoundFiles.Coding) throws {
        let files = try SoundFiles()
        var wire = Wire()
        try wire.send(try files.encode(SoundFiles.sweep(0..<70_001, rate: coding.rate), as: "1", coding))
        try wire.send(try files.encode(SoundFiles.sweep(0..<90_001, rate: coding.rate), as: "2", coding))
        let whole = wire.play().samples
        for target in [0, 500, 40_123, 70_000, 70_001, 70_500, 75_000, 120_001] {
            let played = wire.play(from: MediaTime(frame: Int64(target), sampleRate: coding.rate))
            let tolerance: Float = coding.codec == .opus ? 1e-3 : 0
            #expect(Self.worst(played.samples, whole[(target * 2)...]) <= tolerance, "at \(target)")
            #expect(played.samples.count == whole.count - target * 2)
        }
    }

    @Test("A damaged packet is silent or concealed alone", arguments: SoundFiles.codings.filter { $0.codec != .pcm })
    func damage(_ coding: SoundFiles.Coding) throws {
        let files = try SoundFiles()
        let input = try files.encode(SoundFiles.sweep(0..<150_001, rate: coding.rate), as: "a", coding)
        let whole = try Self.decoded(input)
        var place = 0
        var wire = Wire()
        try wire.send(input) { index, data in
            if index < 8 { place += 1 }
            return index == 8 ? [UInt8](repeating: 0xFF, count: 9) : data
        }
        let played = wire.play()
        #expect(played.samples.count == whole.count)
        #expect(played.damaged >= 1)
        // Right before, and right again after what the packet's neighbours lost with it.
        let tolerance: Float = coding.codec == .opus ? 0.02 : 0
        #expect(Self.worst(played.samples[..<6_000], whole) <= max(tolerance, Self.tolerance(coding)))
        #expect(Self.worst(played.samples[240_000...], whole[240_000...]) <= tolerance)
        #expect(played.samples.allSatisfy { $0.isFinite })
    }

    @Test("A file cut off plays as far as it goes", arguments: SoundFiles.codings.filter { $0.codec == .mp3 })
    func truncated(_ coding: SoundFiles.Coding) throws {
        let files = try SoundFiles()
        let input = try files.encode(SoundFiles.sweep(0..<100_001, rate: coding.rate), as: "a", coding)
        let cut = try files.cut(input, to: 0.5)
        let asset = try Asset.open(cut)
        let format = try #require(try asset.startPackets())
        var frames = 0
        #expect(throws: AssetError.self) {
            while case .packet(let packet)? = try asset.readPacket() { frames += packet.audibleFrameCount }
        }
        #expect(format.codec == .mp3)
        #expect((40_000..<60_000).contains(frames))
    }
}
