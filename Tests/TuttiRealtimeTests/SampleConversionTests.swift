import Testing
import TuttiCore
import TuttiPlayback
import TuttiRealtime

@Suite("Sample conversion")
struct SampleConversionTests {
    private func bytes(_ kind: SampleLayout, _ input: [Float], dither: Bool = false) -> [UInt8] {
        var encoder = SampleEncoder(kind: kind, seed: 1)
        var output = [UInt8](repeating: 0xAA, count: input.count * kind.bytesPerSample)
        input.withUnsafeBufferPointer { source in
            output.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                encoder.convert(from, samples: input.count, dither: dither, into: to)
            }
        }
        return output
    }

    private func int16(_ input: [Float], dither: Bool = false) -> [Int16] {
        let raw = bytes(.int16, input, dither: dither)
        return stride(from: 0, to: raw.count, by: 2).map {
            Int16(truncatingIfNeeded: Int(raw[$0]) | Int(raw[$0 + 1]) << 8)
        }
    }

    @Test func sixteenBitsSurviveTheWayThroughFloat() {
        let all = (Int16.min...Int16.max).map { $0 }
        #expect(int16(all.map { Float($0) / 32_768 }) == all)
    }

    @Test func knownValuesSaturateAndRound() {
        let input: [Float] = [0, 0.5, -1, 1, 2, -3, .nan, .infinity, -.infinity]
        #expect(int16(input) == [0, 16_384, -32_768, 32_767, 32_767, -32_768, 0, 32_767, -32_768])
        #expect(
            bytes(.int24, [-1, 1, 0.5, -1.0 / 8_388_608]) == [0, 0, 0x80, 0xFF, 0xFF, 0x7F, 0, 0, 0x40, 255, 255, 255])
        #expect(bytes(.int24in32, [-1, 1]) == [0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 0])
        #expect(bytes(.int32, [-1, 1, 0.5]) == [0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x40])
        #expect(bytes(.float32, [1]) == [0, 0, 0x80, 0x3F])
    }

    @Test func ditherIsTriangularAndMakesTheMeanExact() {
        let level: Float = 100.3 / 32_768
        let output = int16([Float](repeating: level, count: 40_000), dither: true)
        let mean = output.reduce(0.0) { $0 + Double($1) } / 40_000
        let variance = output.reduce(0.0) { $0 + (Double($1) - 100.3) * (Double($1) - 100.3) } / 40_000
        #expect(abs(mean - 100.3) < 0.02)
        // The variance of the triangle, 1/6, and of the rounding, 1/12, whatever the level.
        #expect(abs(variance - 0.25) < 0.01)
        #expect(output.allSatisfy { (99...102).contains($0) })
    }

    @Test func aGainRampIsStraightAndEndsAtItsTarget() {
        var ramp = GainRamp(gain: 1)
        #expect(ramp.isUnity)
        ramp.set(target: 0, frames: 4)
        var samples = [Float](repeating: 1, count: 12)
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            ramp.apply(to: base, frames: 2)
            ramp.set(target: 0, frames: 99)
            ramp.apply(to: base + 4, frames: 4)
        }
        #expect(samples == [0.75, 0.75, 0.5, 0.5, 0.25, 0.25, 0, 0, 0, 0, 0, 0])
        ramp.set(target: 1, frames: 0)
        #expect(ramp.isUnity)
    }
}
