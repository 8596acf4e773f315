import Testing
import TuttiCodecs
import TuttiCore

/// PCM and FLAC give back what went in, bit for bit.
@Suite struct LosslessTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let codec: AudioFormat.Codec
        let rate: Int
        let channels: Int
        let bits: Int
        let frames: Int
        var testDescription: String { "\(codec.rawValue) \(rate):\(bits):\(channels) \(frames) frames" }
    }

    static let cases: [Case] = [AudioFormat.Codec.pcm, .flac].flatMap { codec in
        [
            Case(codec: codec, rate: 48_000, channels: 2, bits: 16, frames: 20_000),
            Case(codec: codec, rate: 44_100, channels: 2, bits: 24, frames: 12_345),
            Case(codec: codec, rate: 8_000, channels: 1, bits: 8, frames: 3_000),
            Case(codec: codec, rate: 22_257, channels: 1, bits: 16, frames: 5_000),
            Case(codec: codec, rate: 192_000, channels: 8, bits: 24, frames: 9_000),
            Case(codec: codec, rate: 96_000, channels: 6, bits: 20, frames: 8_193),
            Case(codec: codec, rate: 48_000, channels: 2, bits: 16, frames: 1),
            Case(codec: codec, rate: 48_000, channels: 2, bits: 16, frames: 4_096),
            Case(codec: codec, rate: 48_000, channels: 2, bits: 16, frames: 4_097),
        ]
    }

    @Test(arguments: cases) func integersSurvive(_ item: Case) throws {
        let samples = Material.integers(frames: item.frames, channels: item.channels, bits: item.bits, seed: 7)
        let encoder = try Codecs.makeEncoder(
            codec: item.codec, sourceRate: item.rate, channels: item.channels, bitDepth: item.bits)
        #expect(encoder.format.bitDepth == (item.bits <= 16 ? 16 : 24))
        let packets = try Material.encode(samples, with: encoder, step: 777)
        #expect(packets.dropLast().allSatisfy { $0.frameCount == encoder.framesPerPacket })
        #expect(packets.reduce(0) { $0 + $1.audibleFrameCount } == item.frames)
        #expect(try Material.decode(packets, format: encoder.format) == samples)
    }

    @Test(arguments: 0...8) func everyFLACLevelIsLossless(level: Int) throws {
        let samples = Material.integers(frames: 9_000, channels: 2, bits: 16, seed: UInt64(level) + 1)
        let encoder = try Codecs.makeEncoder(
            codec: .flac, sourceRate: 48_000, channels: 2, bitDepth: 16, options: EncoderOptions(flacLevel: level))
        let packets = try Material.encode(samples, with: encoder)
        #expect(try Material.decode(packets, format: encoder.format) == samples)
    }

    @Test func tonesShrinkToLessThanTwoThirds() throws {
        let encoder = try Codecs.makeEncoder(codec: .flac, sourceRate: 48_000, channels: 2, bitDepth: 16)
        let packets = try Material.encode(Material.tones(frames: 48_000, channels: 2), with: encoder)
        #expect(packets.reduce(0) { $0 + $1.data.count } < 48_000 * 4 * 2 / 3)
    }

    @Test func aFLACFrameDecodesAloneAndInAnyOrder() throws {
        let samples = Material.integers(frames: 5 * 4_096, channels: 2, bits: 16, seed: 3)
        let encoder = try Codecs.makeEncoder(codec: .flac, sourceRate: 48_000, channels: 2, bitDepth: 16)
        let packets = try Material.encode(samples, with: encoder)
        let shared = try Codecs.makeDecoder(for: encoder.format)
        for index in [3, 0, 4, 4, 1, 2] {
            let expected = Array(samples[index * 8_192..<(index + 1) * 8_192])
            let buffer = try Material.buffer(packets[index], format: encoder.format)
            let alone = try Codecs.makeDecoder(for: encoder.format)
            #expect(try alone.decode(buffer).samples == expected)
            #expect(try shared.decode(buffer).samples == expected)
        }
    }

    @Test func theFirstPacketsComeSoon() throws {
        let flac = try Codecs.makeEncoder(codec: .flac, sourceRate: 48_000, channels: 2, bitDepth: 16)
        #expect(try flac.encode(Material.tones(frames: 4_096, channels: 2)).isEmpty)
        #expect(try flac.encode(Material.tones(frames: 1, channels: 2)).count == 1)
        let pcm = try Codecs.makeEncoder(codec: .pcm, sourceRate: 48_000, channels: 2, bitDepth: 16)
        #expect(try pcm.encode(Material.tones(frames: 960, channels: 2)).count == 1)
    }

    @Test(arguments: [AudioFormat.Codec.pcm, .flac]) func trimsAreLeftOut(codec: AudioFormat.Codec) throws {
        let samples = Material.integers(frames: 500, channels: 2, bits: 16, seed: 5)
        let encoder = try Codecs.makeEncoder(codec: codec, sourceRate: 48_000, channels: 2, bitDepth: 16)
        let packet = try #require(Material.encode(samples, with: encoder).first)
        let buffer = try #require(
            SampleBuffer(
                format: encoder.format, presentationTime: .zero, frameCount: 500, trimAtStart: 11, trimAtEnd: 7,
                data: packet.data))
        let block = try Codecs.makeDecoder(for: encoder.format).decode(buffer)
        #expect(block.samples == Array(samples[22..<986]))
    }

    @Test(arguments: [AudioFormat.Codec.pcm, .flac, .opus]) func anEmptyStreamHasNoPackets(
        codec: AudioFormat.Codec
    ) throws {
        let encoder = try Codecs.makeEncoder(codec: codec, sourceRate: 48_000, channels: 2, bitDepth: 16)
        #expect(try encoder.encode([]).isEmpty)
        #expect(try encoder.finish().isEmpty)
        #expect(try encoder.finish().isEmpty)
        #expect(throws: CodecError.self) { try encoder.encode([0, 0]) }
    }
}
