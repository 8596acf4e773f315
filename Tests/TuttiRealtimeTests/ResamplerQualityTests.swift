import Foundation
import Testing
import TuttiPlayback
import TuttiRealtime

@Suite("Resampler")
struct ResamplerQualityTests {
    /// Resamples a sine; the sine that fits best is the signal, the rest noise and distortion.
    static func measure(
        frequency: Double, sourceRate: Double, outputRate: Double, ratioError: Double, frames: Int = 9_600
    ) -> (sinad: Double, gain: Double) {
        let ratio = sourceRate / outputRate * (1 + ratioError)
        var resampler = DriftResampler(sourceRate: sourceRate, outputRate: outputRate)
        let count = Int(Double(frames) * ratio) + 2 * resampler.lookahead + 16
        var input: [Float] = []
        for index in 0..<count {
            let value = Float(0.9 * sin(2 * .pi * frequency / sourceRate * Double(index)))
            input += [value, -value]
        }
        var output = [Float](repeating: 0, count: 2 * frames)
        let begin = Int64(resampler.lookahead + 3)
        let first = resampler.setPhase(whole: begin, fraction: 0.37, firstAvailable: 0)
        let made = input.withUnsafeBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                resampler.process(
                    input: UnsafeBufferPointer(rebasing: source.dropFirst(2 * Int(first))), output: target,
                    ratioStart: ratio, ratioEnd: ratio
                ).produced
            }
        }
        guard made == frames else { return (0, 0) }
        // The fit: projections on the sine and cosine at the exact output frequency, by the normal equations.
        let step = 2 * .pi * frequency / sourceRate * ratio
        var (ss, cc, sc, sy, cy, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for index in 0..<frames {
            let (s, c, y) = (sin(step * Double(index)), cos(step * Double(index)), Double(output[2 * index]))
            (ss, cc, sc) = (ss + s * s, cc + c * c, sc + s * c)
            (sy, cy, yy) = (sy + s * y, cy + c * y, yy + y * y)
        }
        let determinant = ss * cc - sc * sc
        let (a, b) = ((sy * cc - cy * sc) / determinant, (cy * ss - sy * sc) / determinant)
        var noise = 0.0
        for index in 0..<frames {
            let fit = a * sin(step * Double(index)) + b * cos(step * Double(index))
            noise += pow(Double(output[2 * index]) - fit, 2)
        }
        return (10 * log10(yy / noise), 20 * log10((a * a + b * b).squareRoot() / 0.9))
    }

    @Test(arguments: [
        (48_000.0, 997.0, 80e-6), (48_000, 997, -80e-6), (48_000, 10_000, 80e-6), (48_000, 10_000, -80e-6),
        (44_100, 997, 80e-6), (44_100, 10_000, 80e-6), (96_000, 10_000, -80e-6), (192_000, 997, 80e-6),
    ])
    func sinadIsAtLeast120Decibels(rate: Double, frequency: Double, error: Double) {
        let result = Self.measure(frequency: frequency, sourceRate: rate, outputRate: 48_000, ratioError: error)
        #expect(result.sinad >= 120, "\(result.sinad) dB")
        #expect(abs(result.gain) < 1e-3)
    }

    @Test(arguments: [(44_100.0, 48_000.0), (48_000, 48_000), (48_000, 44_100), (96_000, 48_000), (192_000, 44_100)])
    func thePassbandReaches20Kilohertz(source: Double, output: Double) {
        let result = Self.measure(frequency: 20_000, sourceRate: source, outputRate: output, ratioError: 80e-6)
        #expect(abs(result.gain) < 0.1, "\(result.gain) dB")
        #expect(result.sinad >= 110, "\(result.sinad) dB")
    }

    @Test func whatTheOutputCannotHoldIsRemoved() {
        // 35 kHz would alias to 13 kHz.
        let result = Self.measure(frequency: 35_000, sourceRate: 96_000, outputRate: 48_000, ratioError: 0)
        #expect(result.gain < -120)
    }

    @Test func chunksOfInputMakeNoDifference() {
        let input = Signal().frames(0..<2_000, rate: 44_100)
        var whole = [Float](repeating: 0, count: 2 * 1_500)
        var pieces = whole
        for chunk in [2_000, 7] {
            var resampler = DriftResampler(sourceRate: 44_100, outputRate: 48_000)
            _ = resampler.setPhase(whole: -10, fraction: 0.25, firstAvailable: 0)
            var (taken, made) = (0, 0)
            input.withUnsafeBufferPointer { source in
                while made < 1_500 && taken < 2_000 {
                    let piece = source[2 * taken..<min(2 * (taken + chunk), 4_000)]
                    var part = [Float](repeating: 0, count: 2 * (1_500 - made))
                    let count = part.count
                    let result = part.withUnsafeMutableBufferPointer {
                        resampler.process(
                            input: UnsafeBufferPointer(rebasing: piece), output: $0, ratioStart: 0.91875,
                            ratioEnd: 0.91875)
                    }
                    #expect(count >= 2 * result.produced)
                    for index in 0..<2 * result.produced { pieces[2 * made + index] = part[index] }
                    (taken, made) = (taken + result.consumed, made + result.produced)
                }
            }
            #expect(made == 1_500)
            if chunk == 2_000 { swap(&whole, &pieces) }
        }
        #expect(whole == pieces)
        #expect(whole.contains { abs($0) > 0.4 })
    }

    @Test func theRatioRampAdvancesByItsMean() {
        var resampler = DriftResampler(sourceRate: 48_000, outputRate: 48_000)
        let first = resampler.setPhase(whole: 0, fraction: 0, firstAvailable: 0)
        #expect(first == 0)
        let input = [Float](repeating: 0, count: 2_000)
        var output = [Float](repeating: 0, count: 960)
        let result = input.withUnsafeBufferPointer { source in
            output.withUnsafeMutableBufferPointer {
                resampler.process(input: source, output: $0, ratioStart: 1, ratioEnd: 1.001)
            }
        }
        #expect(result.produced == 480)
        let (whole, fraction) = resampler.position
        #expect(abs(Double(whole) + fraction - 480 * 1.0005) < 1e-9)
    }
}
