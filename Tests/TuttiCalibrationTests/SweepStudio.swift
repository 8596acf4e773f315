import Foundation
import TuttiCalibration
import TuttiCore
import TuttiSignal

/// Makes recordings of a `ResponseSweep` in a room that is known by formula.
struct SweepStudio {
    /// A way that sound takes: an image of the loudspeaker.
    struct Path {
        var seconds: Double
        var gain: Double
    }

    /// A resonance: `gain` · 2 e^(−damping · t) sin(2π · frequency · t) · damping, so that it peaks at about `gain`.
    struct Mode {
        var frequency: Double
        /// Seconds in which it falls by 60 dB.
        var decay: Double
        var gain: Double

        var damping: Double { 3 * log(10) / decay }
    }

    var paths = [
        Path(seconds: 0.008, gain: 1), Path(seconds: 0.0113, gain: 0.45), Path(seconds: 0.0147, gain: -0.3),
        Path(seconds: 0.0219, gain: 0.35), Path(seconds: 0.0352, gain: 0.2), Path(seconds: 0.0512, gain: -0.15),
        Path(seconds: 0.0833, gain: 0.1),
    ]
    var modes = [
        Mode(frequency: 34, decay: 0.8, gain: 1.6), Mode(frequency: 47, decay: 0.7, gain: 2.2),
        Mode(frequency: 68.5, decay: 0.6, gain: 1.7), Mode(frequency: 93, decay: 0.5, gain: 1.1),
        Mode(frequency: 131, decay: 0.4, gain: 1.4), Mode(frequency: 212, decay: 0.35, gain: 0.9),
    ]
    var sampleRate = 48_000
    /// How much faster the recorder's clock runs.
    var recorderPpm = 0.0
    /// Seconds of the recording before the sound begins; negative when it begins later.
    var lead = 0.7
    var seconds: Double?
    var gain = 0.5
    /// dB from the sweep down to white noise; nil for none.
    var noise: Double?
    /// What the room's equalizer does before the loudspeaker.
    var filters: [Filter] = []
    /// What the loudspeaker adds: y = x + cubic · x³.
    var cubic = 0.0
    var seed: UInt64 = 1

    /// Everything is computed at a rate that holds all of the sweep; a recorder's own filter comes after it.
    private var factor: Int { (43_999 + sampleRate) / sampleRate }
    private var trueRate: Double { Double(sampleRate * factor) * (1 + recorderPpm * 1e-6) }

    // MARK: Truth

    /// The power at a frequency, by formula.
    private func power(_ frequency: Double) -> Double {
        let omega = 2 * Double.pi * frequency
        var (re, im) = (0.0, 0.0)
        for path in paths {
            re += path.gain * cos(omega * path.seconds)
            im -= path.gain * sin(omega * path.seconds)
        }
        for mode in modes {
            // 2 a g ω₀ / ((iω + a)² + ω₀²), after the direct sound's way.
            let (own, a) = (2 * Double.pi * mode.frequency, mode.damping)
            let (x, y) = (a * a + own * own - omega * omega, 2 * a * omega)
            let scale = 2 * a * mode.gain * own / (x * x + y * y)
            let (mr, mi) = (scale * x, -scale * y)
            let (c, s) = (cos(omega * paths[0].seconds), -sin(omega * paths[0].seconds))
            re += mr * c - mi * s
            im += mr * s + mi * c
        }
        return (re * re + im * im) * filters.reduce(1) { $0 * $1.power(at: frequency / trueRate) }
    }

    /// The response on the grid, each point the mean over its band, normalised as a measurement is.
    func truth() -> FrequencyResponse {
        let raw = FrequencyResponse(
            decibels: FrequencyResponse.frequencies.map { frequency in
                let parts = 24
                let sum = (0..<parts).reduce(0.0) { sum, part in
                    sum + power(frequency * exp2(((Double(part) + 0.5) / Double(parts) - 0.5) / 48))
                }
                return 10 * log10(sum / Double(parts))
            })
        let mean = raw.smoothed(octaves: 1.0 / 6).mean(in: 200...2_000)
        return FrequencyResponse(decibels: raw.decibels.map { $0 - mean })
    }

    // MARK: Recording

    /// The room's answer to one sample at the recorder's rate, of 1.4 s.
    private func impulse() -> [Double] {
        let rate = trueRate
        var result = [Double](repeating: 0, count: Int(1.4 * rate))
        for path in paths {
            let place = path.seconds * rate
            for index in max(0, Int(place) - 64)..<Int(place) + 65 {
                let x = Double(index) - place
                let sinc = abs(x) < 1e-9 ? 1 : sin(Double.pi * x) / (Double.pi * x)
                result[index] += path.gain * sinc * pow(cos(Double.pi * min(abs(x), 65) / 130), 2)
            }
        }
        for mode in modes {
            for index in result.indices {
                let time = Double(index) / rate - paths[0].seconds
                guard time >= 0 else { continue }
                let value = exp(-mode.damping * time) * sin(2 * Double.pi * mode.frequency * time)
                result[index] += 2 * mode.damping * mode.gain * value / rate
            }
        }
        return result
    }

    /// What is played, as the recorder's clock has it, from the beginning of the recording.
    private func played(_ count: Int) -> [Double] {
        var samples = (0..<count).map { frame -> Double in
            let time = Double(frame) / trueRate - lead
            return 0.25 * (ResponseSweep.value(at: time - 3.8) + Chirp.value(at: time - 2) + Chirp.value(at: time - 11))
        }
        if cubic != 0 { samples = samples.map { $0 + cubic * $0 * $0 * $0 } }
        for filter in filters { filter.apply(to: &samples) }
        return samples
    }

    func recording() -> [Float] {
        let count = Int((seconds ?? lead + ResponseSweep.totalSeconds) * trueRate)
        let impulse = impulse()
        let transform = FourierTransform(atLeast: count + impulse.count)
        func padded(_ values: [Double]) -> [Double] {
            values + [Double](repeating: 0, count: transform.size - values.count)
        }
        var (xr, xi) = (padded(played(count)), padded([]))
        var (hr, hi) = (padded(impulse), padded([]))
        transform.forward(&xr, &xi)
        transform.forward(&hr, &hi)
        for bin in 0..<transform.size {
            let place = Double(min(bin, transform.size - bin)) / Double(transform.size) * Double(factor)
            let pass = factor == 1 ? 1 : min(max((0.5 - place) / 0.04, 0), 1)
            (xr[bin], xi[bin]) = (
                pass * (xr[bin] * hr[bin] - xi[bin] * hi[bin]), pass * (xr[bin] * hi[bin] + xi[bin] * hr[bin])
            )
        }
        transform.inverse(&xr, &xi)
        var random = SplitMix64(seed: seed)
        let level = noise.map { gain * 0.25 * 0.5.squareRoot() * pow(10, -$0 / 20) } ?? 0
        return stride(from: 0, to: count, by: factor).map {
            Float(gain * xr[$0] + (level > 0 ? level * random.gaussian() : 0))
        }
    }

    func measured() throws(ResponseError) -> ResponseMeasurement {
        try ResponseMeasurement(recording(), sampleRate: sampleRate)
    }

    // MARK: Filters

    /// A second-order filter, by its coefficients.
    struct Filter {
        var b: (Double, Double, Double)
        var a: (Double, Double)

        /// A peak after the cookbook.
        static func peak(_ frequency: Double, _ gain: Double, _ q: Double, sampleRate: Double) -> Filter {
            let (amplitude, omega) = (pow(10, gain / 40), 2 * Double.pi * frequency / sampleRate)
            let alpha = sin(omega) / (2 * q)
            let a0 = 1 + alpha / amplitude
            return Filter(
                b: ((1 + alpha * amplitude) / a0, -2 * cos(omega) / a0, (1 - alpha * amplitude) / a0),
                a: (-2 * cos(omega) / a0, (1 - alpha / amplitude) / a0))
        }

        /// A low shelf after the cookbook.
        static func lowShelf(_ frequency: Double, _ gain: Double, _ q: Double, sampleRate: Double) -> Filter {
            let (g, omega) = (pow(10, gain / 40), 2 * Double.pi * frequency / sampleRate)
            let (c, root) = (cos(omega), 2 * g.squareRoot() * sin(omega) / (2 * q))
            let a0 = (g + 1) + (g - 1) * c + root
            return Filter(
                b: (
                    g * ((g + 1) - (g - 1) * c + root) / a0, 2 * g * ((g - 1) - (g + 1) * c) / a0,
                    g * ((g + 1) - (g - 1) * c - root) / a0
                ),
                a: (-2 * ((g - 1) + (g + 1) * c) / a0, ((g + 1) + (g - 1) * c - root) / a0))
        }

        /// A high pass after the cookbook.
        static func highPass(_ frequency: Double, sampleRate: Double) -> Filter {
            let omega = 2 * Double.pi * frequency / sampleRate
            let alpha = sin(omega) / (2 * 0.5.squareRoot())
            let (a0, c) = (1 + alpha, cos(omega))
            return Filter(
                b: ((1 + c) / 2 / a0, -(1 + c) / a0, (1 + c) / 2 / a0), a: (-2 * c / a0, (1 - alpha) / a0))
        }

        /// The power at a frequency in parts of the sample rate.
        func power(at place: Double) -> Double {
            let omega = 2 * Double.pi * place
            func square(_ x: Double, _ y: Double, _ z: Double) -> Double {
                let re = x + y * cos(omega) + z * cos(2 * omega)
                let im = y * sin(omega) + z * sin(2 * omega)
                return re * re + im * im
            }
            return square(b.0, b.1, b.2) / square(1, a.0, a.1)
        }

        func apply(to samples: inout [Double]) {
            var (s1, s2) = (0.0, 0.0)
            for index in samples.indices {
                let x = samples[index]
                let y = b.0 * x + s1
                s1 = b.1 * x - a.0 * y + s2
                s2 = b.2 * x - a.1 * y
                samples[index] = y
            }
        }
    }
}

extension FrequencyResponse {
    /// The largest difference from another response in a band, after both are smoothed over 1/6 octave.
    func worst(from other: FrequencyResponse, in band: ClosedRange<Double>) -> (frequency: Double, decibels: Double) {
        let pairs = zip(smoothed(octaves: 1.0 / 6).decibels, other.smoothed(octaves: 1.0 / 6).decibels)
        let differences = zip(FrequencyResponse.frequencies, pairs.map { $0 - $1 }).filter { band.contains($0.0) }
        return differences.max { abs($0.1) < abs($1.1) } ?? (0, .infinity)
    }
}
