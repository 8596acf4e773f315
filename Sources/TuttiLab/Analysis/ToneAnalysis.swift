import Foundation
import TuttiSignal

/// Measures a recorded sine: its frequency, and everything that is in the recording beside it.
package struct ToneAnalysis: Sendable {
    /// Why there is nothing to measure.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// Fewer seconds than the notch needs.
        case tooShort(seconds: Double)
        /// No tone stands out near the frequency.
        case noTone(frequency: Double)

        package var description: String {
            switch self {
            case .tooShort(let seconds): "only \(seconds) s of tone: too short for this notch"
            case .noTone(let frequency): "no tone near \(frequency) Hz"
            }
        }
    }

    /// Half the width of the notch that takes the tone away, Hz.
    package var notch = 5.0
    /// Seconds left out after the first audible frame and before the last.
    package var skipped = (start: 5.0, end: 0.5)
    /// The tone's nominal frequency, Hz.
    package let frequency: Double

    /// The shape of the window: side lobes below −200 dB.
    private static let beta = 30.0
    /// Frames of the longest transform.
    private static let longest = 1 << 20
    private static let audibleBand = 20.0...20_000.0
    private static let sideBandReach = 500.0

    /// An analysis of a tone of about `frequency` Hz.
    package init(frequency: Double) { self.frequency = frequency }

    /// Measures the tone in one channel of a recording.
    package func report(_ samples: [Float], sampleRate: Int) throws(Failure) -> ToneReport {
        let tone = try section(samples, Double(sampleRate))
        let rate = Double(sampleRate)
        let power = Self.powerSpectrum(tone)
        let width = rate / Double(tone.count)
        let peak = try peakBin(power, width)
        let first = Double(peak) * width
        let phases = Self.phases(tone, frequency: first, rate: rate)
        let line = Self.straightLine(phases.values)
        let exact = first + line.slope / phases.seconds / (2 * .pi)
        let toNanoseconds = 1e9 / (2 * .pi * exact)
        let strays = phases.values.enumerated().map { ($1 - line.start - line.slope * Double($0)) * toNanoseconds }
        let fit = Self.fit(tone, frequency: exact, rate: rate)
        let spectrum = spectrumSums(power, exact, width)
        return ToneReport(
            sampleRate: sampleRate, seconds: Double(tone.count) / rate, frequency: exact,
            level: 20 * log10(fit.amplitude), sinad: Self.decibels(spectrum.tone / spectrum.rest),
            fitSinad: Self.decibels(fit.amplitude * fit.amplitude / 2 / fit.residual),
            distortion: harmonics(power, exact, width).map { Self.decibels($0 / spectrum.tone) },
            strongestLine: strongest(power, exact, width, within: .infinity, peak: power[peak]),
            strongestSideBand: strongest(power, exact, width, within: Self.sideBandReach, peak: power[peak]),
            wanderRMS: (strays.reduce(0) { $0 + $1 * $1 } / Double(max(1, strays.count))).squareRoot(),
            wanderPeak: strays.reduce(0) { max($0, abs($1)) })
    }

    /// A power of two of frames out of the audible part.
    private func section(_ samples: [Float], _ rate: Double) throws(Failure) -> [Double] {
        guard let first = samples.firstIndex(where: { abs($0) > 1e-3 }),
            let last = samples.lastIndex(where: { abs($0) > 1e-3 })
        else { throw .noTone(frequency: frequency) }
        let start = first + Int(skipped.start * rate)
        let room = last - Int(skipped.end * rate) - start
        // The notch must be wider than the window's main lobe.
        let lobe = (Self.beta * Self.beta / (.pi * .pi) + 1).squareRoot()
        guard room > 0, notch > lobe * rate / Double(room) * 2 else {
            throw .tooShort(seconds: Double(max(0, room)) / rate)
        }
        var count = 1
        while 2 * count <= min(room, Self.longest) { count *= 2 }
        return samples[start..<start + count].map(Double.init)
    }

    private func peakBin(_ power: [Double], _ width: Double) throws(Failure) -> Int {
        let low = max(1, Int(frequency * 0.99 / width))
        let high = min(power.count - 2, Int(frequency * 1.01 / width) + 1)
        guard low < high, let peak = (low...high).max(by: { power[$0] < power[$1] }), power[peak] > 0,
            power[peak] * 2 > power[1...].max() ?? 0
        else { throw .noTone(frequency: frequency) }
        return peak
    }

    // MARK: Spectrum

    private static func decibels(_ ratio: Double) -> Double { 10 * log10(ratio) }

    private static func powerSpectrum(_ tone: [Double]) -> [Double] {
        let transform = FourierTransform(atLeast: tone.count)
        let middle = Double(tone.count - 1) / 2
        var real = tone.enumerated().map { index, sample in
            let x = (Double(index) - middle) / (middle + 0.5)
            return sample * SincInterpolator.bessel(beta * (1 - x * x).squareRoot())
        }
        var imaginary = [Double](repeating: 0, count: tone.count)
        transform.forward(&real, &imaginary)
        return (0...tone.count / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
    }

    private func spectrumSums(_ power: [Double], _ exact: Double, _ width: Double) -> (tone: Double, rest: Double) {
        var (tone, rest) = (0.0, 0.0)
        for (bin, value) in power.enumerated() {
            let place = Double(bin) * width
            if abs(place - exact) <= notch {
                tone += value
            } else if Self.audibleBand.contains(place) {
                rest += value
            }
        }
        return (tone, rest)
    }

    private func harmonics(_ power: [Double], _ exact: Double, _ width: Double) -> Double? {
        var sum: Double?
        var order = 2.0
        while order * exact < Self.audibleBand.upperBound {
            for bin in Int((order * exact - notch) / width)...Int((order * exact + notch) / width)
            where bin < power.count { sum = (sum ?? 0) + power[bin] }
            order += 1
        }
        return sum
    }

    private func strongest(
        _ power: [Double], _ exact: Double, _ width: Double, within reach: Double, peak: Double
    ) -> ToneReport.Line {
        var best = (bin: 0, power: 0.0)
        for (bin, value) in power.enumerated() where value > best.power {
            let place = Double(bin) * width
            let distance = abs(place - exact)
            if distance > notch, distance <= reach, Self.audibleBand.contains(place) { best = (bin, value) }
        }
        return ToneReport.Line(frequency: Double(best.bin) * width, decibels: Self.decibels(best.power / peak))
    }

    // MARK: Phase and fit

    /// The tone's phase against `frequency` in pieces of a tenth of a second, without turns.
    private static func phases(
        _ tone: [Double], frequency: Double, rate: Double
    ) -> (values: [Double], seconds: Double) {
        let length = Int(rate / 10)
        let step = 2 * .pi * frequency / rate
        var values: [Double] = []
        for piece in 0..<tone.count / length {
            var (re, im) = (0.0, 0.0)
            for index in 0..<length {
                let window = 1 - cos(2 * .pi * (Double(index) + 0.5) / Double(length))
                let angle = step * Double(piece * length + index)
                re += window * tone[piece * length + index] * cos(angle)
                im -= window * tone[piece * length + index] * sin(angle)
            }
            var phase = atan2(im, re)
            if let last = values.last { phase += 2 * .pi * ((last - phase) / (2 * .pi)).rounded() }
            values.append(phase)
        }
        return (values, Double(length) / rate)
    }

    private static func straightLine(_ values: [Double]) -> (start: Double, slope: Double) {
        let count = Double(values.count)
        guard values.count > 1 else { return (values.first ?? 0, 0) }
        let middle = (count - 1) / 2
        let mean = values.reduce(0, +) / count
        var (xy, xx) = (0.0, 0.0)
        for (index, value) in values.enumerated() {
            xy += (Double(index) - middle) * (value - mean)
            xx += (Double(index) - middle) * (Double(index) - middle)
        }
        return (mean - xy / xx * middle, xy / xx)
    }

    /// The sine of this frequency that fits best, and the mean square of what it leaves.
    private static func fit(
        _ tone: [Double], frequency: Double, rate: Double
    ) -> (amplitude: Double, residual: Double) {
        let step = 2 * .pi * frequency / rate
        var (ss, cc, sc, sy, cy) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (index, y) in tone.enumerated() {
            let (s, c) = (sin(step * Double(index)), cos(step * Double(index)))
            (ss, cc, sc) = (ss + s * s, cc + c * c, sc + s * c)
            (sy, cy) = (sy + s * y, cy + c * y)
        }
        let determinant = ss * cc - sc * sc
        let (a, b) = ((sy * cc - cy * sc) / determinant, (cy * ss - sy * sc) / determinant)
        var residual = 0.0
        for (index, y) in tone.enumerated() {
            let rest = y - a * sin(step * Double(index)) - b * cos(step * Double(index))
            residual += rest * rest
        }
        return ((a * a + b * b).squareRoot(), residual / Double(tone.count))
    }
}
