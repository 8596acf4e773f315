import Testing
import TuttiCodecs
import TuttiCore

/// How floats become integers on the wire.
@Suite struct QuantisationTests {
    private func round(_ samples: [Float], bits: Int, wire: Int, seed: UInt64 = 1) throws -> [Float] {
        let encoder = try Codecs.makeEncoder(
            codec: .pcm, sourceRate: 48_000, channels: 1, bitDepth: bits,
            options: EncoderOptions(wireBitDepth: wire, ditherSeed: seed))
        return try Material.decode(Material.encode(samples, with: encoder), format: encoder.format)
    }

    @Test func valuesOutsideAreClippedAndNaNIsSilence() throws {
        let wild: [Float] = [2, -2, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, 0]
        let top: Float = 32_767.0 / 32_768
        #expect(try round(wild, bits: 16, wire: 16) == [top, -1, top, -1, 0, top, 0])
        for sample in try round(wild, bits: 32, wire: 16) { #expect(abs(sample) <= 1) }
        for sample in try round(wild, bits: 32, wire: 24) { #expect(abs(sample) <= 1) }
    }

    @Test(arguments: [16, 24]) func ditherIsTriangularAndWithoutBias(wire: Int) throws {
        // A level between two steps: dither makes its mean right and its error's variance a quarter of a step².
        let step = 1 / Float(1 << (wire - 1))
        let level = Double(0.3 * step)
        let output = try round([Float](repeating: 0.3 * step, count: 100_000), bits: 32, wire: wire)
        let errors = output.map { (Double($0) - level) / Double(step) }
        let mean = errors.reduce(0, +) / 100_000
        let variance = errors.reduce(0) { $0 + $1 * $1 } / 100_000
        #expect(abs(mean) < 0.01)
        #expect(abs(variance - 0.25) < 0.01)
        #expect(errors.allSatisfy { abs($0) <= 1.5 })
    }

    @Test func ditherIsTheSameForTheSameSeed() throws {
        let tone = Material.tones(frames: 1_000, channels: 1)
        #expect(try round(tone, bits: 24, wire: 16, seed: 5) == round(tone, bits: 24, wire: 16, seed: 5))
        #expect(try round(tone, bits: 24, wire: 16, seed: 5) != round(tone, bits: 24, wire: 16, seed: 6))
    }
}
