import Testing
import TuttiCodecs
import TuttiCore

/// Opus keeps every frame in its place.
@Suite struct OpusTests {
    private func encoder(channels: Int, bitrate: Int = 160_000) throws -> any PacketEncoder {
        try Codecs.makeEncoder(
            codec: .opus, sourceRate: 48_000, channels: channels, bitDepth: 16,
            options: EncoderOptions(opusBitrate: bitrate))
    }

    /// The ratio of the signal's to the error's power when `output` is taken `shift` frames late.
    private func ratio(_ input: [Float], _ output: [Float], channels: Int, shift: Int) -> Double {
        var (signal, error) = (0.0, 0.0)
        for index in 4_800 * channels..<input.count - 4_800 * channels {
            let difference = Double(input[index] - output[index + shift * channels])
            signal += Double(input[index] * input[index])
            error += difference * difference
        }
        return signal / error
    }

    @Test(arguments: [1, 2]) func whatComesOutStandsWhereItWentIn(channels: Int) throws {
        let samples = Material.tones(frames: 48_000, channels: channels)
        let encoder = try encoder(channels: channels, bitrate: 256_000)
        let packets = try Material.encode(samples, with: encoder)
        let output = try Material.decode(packets, format: encoder.format)
        #expect(output.count == samples.count)
        let aligned = ratio(samples, output, channels: channels, shift: 0)
        #expect(aligned > 100)
        for shift in [-2, -1, 1, 2] { #expect(ratio(samples, output, channels: channels, shift: shift) < aligned) }
    }

    @Test(arguments: [1, 647, 648, 649, 960, 1_608, 1_609, 5_000]) func everyLengthIsKept(frames: Int) throws {
        let encoder = try encoder(channels: 2)
        let packets = try Material.encode(Material.tones(frames: frames, channels: 2), with: encoder, step: 100)
        #expect(packets.reduce(0) { $0 + $1.audibleFrameCount } == frames)
        #expect(packets.allSatisfy { $0.frameCount == 960 && $0.trimAtStart >= 0 && $0.trimAtEnd >= 0 })
        #expect(packets.dropFirst().allSatisfy { $0.trimAtStart == 0 })
        #expect(packets.dropLast().allSatisfy { $0.trimAtEnd == 0 })
        #expect(try Material.decode(packets, format: encoder.format).count == frames * 2)
    }

    @Test func theBitRateIsKept() throws {
        for bitrate in [64_000, 160_000, 320_000] {
            let encoder = try encoder(channels: 2, bitrate: bitrate)
            let samples = Material.integers(frames: 96_000, channels: 2, bits: 16, seed: 2).map { $0 * 0.2 }
            let bytes = try Material.encode(samples, with: encoder).reduce(0) { $0 + $1.data.count }
            #expect(abs(Double(bytes * 4) - Double(bitrate)) < 0.15 * Double(bitrate))
        }
    }

    @Test func aDamagedPacketIsConcealedAndTheNextOnesAreRight() throws {
        let samples = Material.tones(frames: 48_000, channels: 2)
        let encoder = try encoder(channels: 2, bitrate: 256_000)
        let packets = try Material.encode(samples, with: encoder)
        let decoder = try Codecs.makeDecoder(for: encoder.format)
        var output: [Float] = []
        for (index, packet) in packets.enumerated() {
            let data: [UInt8]? = index == 20 ? [] : index == 30 ? [0xFF, 0xFF, 0xFF] : nil
            output += try decoder.decode(Material.buffer(packet, format: encoder.format, data: data)).samples
        }
        #expect(decoder.concealedPacketCount == 2)
        #expect(output.count == samples.count)
        // A bridge of the tones, not silence; and 80 ms after the damage all is as if nothing had been.
        let bridge = output[20 * 1_920..<21 * 1_920]
        #expect(bridge.contains { abs($0) > 0.05 })
        let whole = try Material.decode(packets, format: encoder.format)
        let late = 36 * 1_920
        let worst = zip(output[late...], whole[late...]).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(worst < 0.01)
    }

    @Test func aResetDecoderStartsAnew() throws {
        let encoder = try encoder(channels: 1)
        let packets = try Material.encode(Material.tones(frames: 9_600, channels: 1), with: encoder)
        let decoder = try Codecs.makeDecoder(for: encoder.format)
        let first = try packets.map { try decoder.decode(Material.buffer($0, format: encoder.format)) }
        decoder.reset()
        #expect(try packets.map { try decoder.decode(Material.buffer($0, format: encoder.format)) } == first)
    }

    @Test func otherRatesAndWidthsAreRefused() {
        for (rate, channels) in [(44_100, 2), (96_000, 2), (48_000, 3)] {
            #expect(throws: CodecError.self) {
                try Codecs.makeEncoder(codec: .opus, sourceRate: rate, channels: channels, bitDepth: 16)
            }
        }
        for bitrate in [0, 63_999, 320_001, Int.max] {
            #expect(throws: CodecError.self) { try encoder(channels: 2, bitrate: bitrate) }
        }
    }
}
