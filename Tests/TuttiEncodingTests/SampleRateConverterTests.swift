import Foundation
import Testing
import TuttiEncoding

@Suite struct SampleRateConverterTests {
    /// Converts a sine in uneven tracks; gives the left channel.
    private func convert(_ frequency: Double, from source: Int, to target: Int, frames: Int) -> [Double] {
        var converter = SampleRateConverter(sourceRate: source, targetRate: target)
        let samples = (0..<frames).flatMap { frame -> [Float] in
            let value = Float(0.5 * sin(2 * .pi * frequency * Double(frame) / Double(source)))
            return [value, -value]
        }
        var output: [Float] = []
        var index = 0
        var size = 1
        while index < frames {
            let end = min(frames, index + size)
            output += converter.process(Array(samples[index * 2..<end * 2]))
            index = end
            size = size * 7 % 4093 + 1
        }
        output += converter.finish()
        return stride(from: 0, to: output.count, by: 2).map { Double(output[$0]) }
    }

    @Test(arguments: [(44_100, 48_000), (96_000, 48_000), (32_000, 48_000), (11_025, 48_000), (192_000, 48_000)])
    func aSineKeepsItsPlaceAndPurity(source: Int, target: Int) {
        let frames = source / 2
        for frequency in [100.0, 997, Double(min(source, target)) * 0.4] {
            let output = convert(frequency, from: source, to: target, frames: frames)
            #expect(output.count == (frames * target + source - 1) / source)
            var noise = 0.0
            for frame in 2000..<output.count - 2000 {
                let ideal = 0.5 * sin(2 * .pi * frequency * Double(frame) / Double(target))
                noise = max(noise, abs(output[frame] - ideal))
            }
            #expect(noise < 0.5e-4, "\(source) \(frequency) Hz: \(noise)")
        }
    }

    @Test func whatWouldAliasIsRemoved() {
        let output = convert(30_000, from: 96_000, to: 48_000, frames: 48_000)
        let rest = output[2000..<output.count - 2000].map(abs).max() ?? 1
        #expect(rest < 0.5e-4)
    }
}
