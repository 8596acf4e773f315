import Testing
import TuttiCodecs
import TuttiCore

/// Formats, cookies and packets from outside never do harm.
@Suite struct UntrustedTests {
    private static let codecs: [AudioFormat.Codec] = [.flac, .opus, .pcm]

    private static func format(
        _ codec: AudioFormat.Codec, rate: Int = 48_000, channels: Int = 2, bits: Int = 16, cookie: [UInt8] = []
    ) throws -> AudioFormat {
        try #require(
            AudioFormat(codec: codec, sampleRate: rate, channelCount: channels, bitDepth: bits, magicCookie: cookie))
    }

    private static func flac() throws -> (packets: [EncodedPacket], format: AudioFormat, samples: [Float]) {
        let samples = Material.tones(frames: 4 * 4_096, channels: 2)
        let encoder = try Codecs.makeEncoder(codec: .flac, sourceRate: 48_000, channels: 2, bitDepth: 16)
        return (try Material.encode(samples, with: encoder), encoder.format, samples)
    }

    @Test func aCookieThatContradictsTheFormatIsRefused() throws {
        let cookie = try Self.flac().format.magicCookie
        #expect(throws: Never.self) { try Codecs.makeDecoder(for: Self.format(.flac, cookie: cookie)) }
        for wrong in [
            try Self.format(.flac, rate: 44_100, cookie: cookie), try Self.format(.flac, channels: 1, cookie: cookie),
            try Self.format(.flac, bits: 24, cookie: cookie), try Self.format(.flac),
            try Self.format(.flac, cookie: Array(cookie.dropLast())), try Self.format(.flac, cookie: cookie + [0]),
            try Self.format(.flac, cookie: [UInt8](repeating: 0, count: 34)),
            try Self.format(.flac, cookie: [UInt8](repeating: 0xFF, count: 65_536)),
        ] {
            #expect(throws: CodecError.self) { try Codecs.makeDecoder(for: wrong) }
        }
    }

    @Test func randomFLACCookiesNeverDoHarm() throws {
        let cookie = try Self.flac().format.magicCookie
        let packet = try #require(Self.flac().packets.first)
        var generator = SplitMix64(seed: 11)
        for _ in 0..<500 {
            var bytes = cookie
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let format = try Self.format(.flac, cookie: bytes)
            guard let decoder = try? Codecs.makeDecoder(for: format) else { continue }
            let block = try? decoder.decode(Material.buffer(packet, format: format))
            #expect(block == nil || block?.frameCount == packet.frameCount)
        }
    }

    @Test func aDamagedFLACFrameIsAnErrorAndTheNextIsRight() throws {
        let (packets, format, samples) = try Self.flac()
        let decoder = try Codecs.makeDecoder(for: format)
        var generator = SplitMix64(seed: 12)
        for _ in 0..<300 {
            var bytes = packets[1].data
            let place = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes.removeLast(bytes.count - place)
            case 2: bytes.removeFirst(place + 1)
            default: bytes = (0..<place).map { _ in .random(in: 0...255, using: &generator) }
            }
            let buffer = try Material.buffer(packets[1], format: format, data: bytes)
            #expect(throws: CodecError.self) { try decoder.decode(buffer) }
            let next = try decoder.decode(Material.buffer(packets[2], format: format))
            #expect(zip(next.samples, samples[16_384...]).allSatisfy { abs($0 - $1) < 0x1p-15 })
        }
    }

    @Test func countsThatContradictTheFrameAreErrors() throws {
        let (packets, format, _) = try Self.flac()
        let decoder = try Codecs.makeDecoder(for: format)
        for frameCount in [0, 1, 4_095, 4_097, 65_536, SampleBuffer.maximumFrameCount] {
            let buffer = try #require(
                SampleBuffer(format: format, presentationTime: .zero, frameCount: frameCount, data: packets[0].data))
            #expect(throws: CodecError.self) { try decoder.decode(buffer) }
        }
        #expect(try decoder.decode(Material.buffer(packets[0], format: format)).frameCount == 4_096)
    }

    @Test(arguments: codecs) func aPacketOfAnotherFormatIsAnError(codec: AudioFormat.Codec) throws {
        let encoder = try Codecs.makeEncoder(codec: codec, sourceRate: 48_000, channels: 2, bitDepth: 16)
        let packet = try #require(Material.encode(Material.tones(frames: 960, channels: 2), with: encoder).first)
        let other = try Codecs.makeDecoder(for: Self.format(.pcm, channels: 1))
        let buffer = try Material.buffer(packet, format: encoder.format)
        #expect(throws: CodecError.self) { try other.decode(buffer) }
    }

    @Test func randomOpusPacketsAreDecodedOrConcealed() throws {
        var generator = SplitMix64(seed: 13)
        for channels in [1, 2] {
            let format = try Self.format(.opus, channels: channels)
            let decoder = try Codecs.makeDecoder(for: format)
            for _ in 0..<1_000 {
                let length = Int.random(in: 0...1_500, using: &generator)
                let data = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let frameCount = [0, 1, 119, 120, 480, 960, 2_880, 5_760, 5_761, 1 << 20].randomElement(
                    using: &generator)
                let buffer = try #require(
                    SampleBuffer(
                        format: format, presentationTime: .zero, frameCount: frameCount ?? 960, trimAtStart: 0,
                        data: data))
                let block = try? decoder.decode(buffer)
                #expect(block == nil || block?.frameCount == buffer.frameCount)
                if buffer.frameCount == 960 { #expect(block != nil) }
            }
        }
    }

    @Test func opusHeadsAreChecked() throws {
        let head = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]
        #expect(throws: Never.self) { try Codecs.makeDecoder(for: Self.format(.opus, cookie: head)) }
        let wrong = [
            try Self.format(.opus, channels: 1, cookie: head), try Self.format(.opus, cookie: [1, 2, 3]),
            try Self.format(.opus, rate: 44_100), try Self.format(.opus, channels: 3),
            try Self.format(.opus, cookie: head.dropLast() + [1]),
        ]
        for format in wrong { #expect(throws: CodecError.self) { try Codecs.makeDecoder(for: format) } }
    }

    @Test func whatNobodyDecodesIsRefused() throws {
        for codec in AudioFormat.Codec.allCases where !Codecs.decodable.contains(codec) && codec != .float32 {
            #expect(throws: CodecError.self) { try Codecs.makeDecoder(for: Self.format(codec)) }
        }
        for bits in [12, 20] {
            #expect(throws: CodecError.self) { try Codecs.makeDecoder(for: Self.format(.pcm, bits: bits)) }
        }
        // Floats are decoded, though no wire carries them; of 32 bits only.
        #expect(throws: CodecError.self) { try Codecs.makeDecoder(for: Self.format(.float32, bits: 24)) }
    }

    @Test func optionsOutsideTheirRangesAreErrors() {
        for options in [
            EncoderOptions(wireBitDepth: 0), EncoderOptions(flacLevel: -1), EncoderOptions(flacLevel: 9),
            EncoderOptions(wireBitDepth: 32),
        ] {
            #expect(throws: CodecError.self) {
                try Codecs.makeEncoder(codec: .flac, sourceRate: 48_000, channels: 2, bitDepth: 16, options: options)
            }
        }
        for (rate, channels, bits) in [(0, 2, 16), (48_000, 0, 16), (48_000, 2, 64), (Int.max, Int.min, 16)] {
            for codec in AudioFormat.Codec.allCases {
                #expect(throws: CodecError.self) {
                    try Codecs.makeEncoder(codec: codec, sourceRate: rate, channels: channels, bitDepth: bits)
                }
            }
        }
    }

    @Test(arguments: codecs) func partsOfFramesAreRefused(codec: AudioFormat.Codec) throws {
        let encoder = try Codecs.makeEncoder(codec: codec, sourceRate: 48_000, channels: 2, bitDepth: 16)
        #expect(throws: CodecError.self) { try encoder.encode([0, 0, 0]) }
    }
}
