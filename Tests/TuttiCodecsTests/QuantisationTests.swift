import CKernels
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

    /// The numbers are those of the generator, one after the other, however the samples are cut into calls; and the
    /// kernel's instructions make no difference.
    @Test(arguments: [16, 24]) func ditherIsWhatTheGeneratorGives(depth: Int) {
        var generator = SplitMix64(seed: 9)
        var source = SplitMix64(seed: 3)
        let wild: [Float] = [1, -1, 3, -3, .nan, .infinity, -.infinity, .leastNonzeroMagnitude]
        let samples = wild + (0..<10_000).map { _ in Float(2.1 * source.unit() - 1.05) }
        let scale = Double(1 << (depth - 1))
        let expected = samples.map { sample -> Int32 in
            let bits = generator.next()
            let noise = (Double(bits >> 32) - Double(bits & 0xFFFF_FFFF)) / Double(1 << 32)
            let dithered = Double(sample) * scale + noise
            if dithered.isNaN { return 0 }
            return Int32(min(max(dithered, -scale), scale - 1).rounded(.toNearestOrAwayFromZero))
        }
        for isWide in [false, tutti_has_wide() != 0] {
            for size in [1, 3, 4, 29, 4_096, samples.count] {
                var state: UInt64 = 9
                var integers = [Int32](repeating: 0, count: samples.count)
                for start in stride(from: 0, to: samples.count, by: size) {
                    let count = min(size, samples.count - start)
                    samples.withUnsafeBufferPointer { from in
                        integers.withUnsafeMutableBufferPointer { to in
                            guard let from = from.baseAddress, let to = to.baseAddress else { return }
                            state =
                                isWide
                                ? tutti_dither_wide(from + start, to + start, count, scale, state)
                                : tutti_dither(from + start, to + start, count, scale, state)
                        }
                    }
                }
                #expect(integers == expected, "\(size) at a time, wide: \(isWide)")
            }
        }
    }
}
