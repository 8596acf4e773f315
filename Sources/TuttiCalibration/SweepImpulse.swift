import Glibc
import TuttiSignal

/// A room's impulse response, from a recording of a `ResponseSweep`.
///
/// The recording's spectrum is divided by that of the sweep as the recorder's clock would have taken it, within the
/// sweep's band (an inverse filter after O. Kirkeby and P. A. Nelson, 1999). Harmonics lie before the response.
struct SweepImpulse {
    /// Frames a second, as the player counts seconds.
    private let rate: Double
    /// Hz up to which the response is known.
    let limit: Double
    /// The response in a circle: index 0 is the instant at which the strongest chirp arrived.
    private let values: [Double]
    private let sweepPower: FrequencyResponse
    /// Seconds from there to the strongest arrival.
    private(set) var arrival = 0.0

    /// What is looked at around the arrival, in seconds: the fades are half Hann windows.
    struct Window {
        var before: Double
        var fadeIn: Double
        var after: Double
        var fadeOut: Double

        /// The room's response: a reverberation of 0.5 s is over by then, and resonances are told apart by 1.3 Hz. What
        /// comes before the arrival is the edge of the sweep's band, at low frequencies.
        static let response = Window(before: 0.2, fadeIn: 0.15, after: 0.79, fadeOut: 0.35)
        /// That of a harmonic, which ends before the next one begins.
        static let harmonic = Window(before: 0.02, fadeIn: 0.01, after: 0.15, fadeOut: 0.05)

        var seconds: Double { before + after }

        /// The weight at `time` seconds from the arrival.
        func weight(at time: Double) -> Double {
            let edge = min((time + before) / fadeIn, (after - time) / fadeOut, 1)
            return edge <= 0 ? 0 : 0.5 - 0.5 * cos(Double.pi * edge)
        }
    }

    /// Seconds before and after the sweep that belong to it.
    private static let margin = 0.25
    private static let tail = 1.0
    /// What the sweep's power in a bin must be compared with the least within the band.
    private static let regularisation = 0.001
    /// Seconds around a chirp's strongest arrival in which the response has its own.
    private static let search = 0.06
    /// Orders of the harmonics that are looked for.
    private static let harmonics = 2...5
    /// Hz in which their power is compared.
    private static let harmonicBand = 400.0...3_000.0

    /// - Parameters:
    ///   - samples: finite.
    ///   - sampleRate: nominal frames a second.
    init(_ samples: [Float], sampleRate: Int, position: SweepPosition) {
        rate = Double(sampleRate) * (1 + position.rateError)
        limit = min(ResponseSweep.band.upperBound, 0.45 * Double(sampleRate))
        let first = Int((position.start - Self.margin * rate).rounded(.down))
        let count = Int((Self.margin + ResponseSweep.duration + Self.tail) * rate)
        let end = min(ResponseSweep.highest, 0.48 * Double(sampleRate))
        let reference = Self.reference(rate: rate, limit: limit, end: end)
        let transform = FourierTransform(atLeast: count + reference.count)
        var real = [Double](repeating: 0, count: transform.size)
        var imaginary = real
        for index in 0..<count where samples.indices.contains(first + index) {
            real[index] = Double(samples[first + index])
        }
        imaginary.replaceSubrange(0..<reference.count, with: reference)
        transform.forward(&real, &imaginary)
        let binWidth = rate / Double(transform.size)
        let power = Self.divide(&real, &imaginary, binWidth: binWidth, limit: limit, end: end)
        sweepPower = FrequencyResponse(power: power, binWidth: binWidth, upTo: limit)
        transform.inverse(&real, &imaginary)
        // Whole frames before the sweep come off here; the rest of a frame is no matter.
        let shift = Int((position.start - Double(first)).rounded())
        values = Array(real[shift...] + real[..<shift])
        arrival = Double(peak) / rate
    }

    /// The sweep as the recorder takes it, faded out where the rate ends.
    private static func reference(rate: Double, limit: Double, end: Double) -> [Double] {
        let (fade, last) = (ResponseSweep.instant(of: limit), ResponseSweep.instant(of: end))
        return (0..<Int(last * rate)).map { frame in
            let time = Double(frame) / rate
            let edge = end < ResponseSweep.highest ? min(1, (last - time) / (last - fade)) : 1
            return ResponseSweep.amplitude * ResponseSweep.value(at: time) * (0.5 - 0.5 * cos(Double.pi * edge))
        }
    }

    /// Turns the transform of recording + i · sweep into the spectrum of the response.
    ///
    /// - Returns: the sweep's power from 0 Hz on.
    private static func divide(
        _ real: inout [Double], _ imaginary: inout [Double], binWidth: Double, limit: Double, end: Double
    ) -> [Double] {
        let size = real.count
        var (response, other) = ([Double](repeating: 0, count: size), [Double](repeating: 0, count: size))
        var power = [Double](repeating: 0, count: size / 2)
        // The sweep has the least power at the band's upper end, as a pink one has.
        let edge = Int(limit / binWidth)
        for bin in 1..<size / 2 {
            let mirror = size - bin
            let (ar, ai) = ((real[bin] + real[mirror]) / 2, (imaginary[bin] - imaginary[mirror]) / 2)
            let (br, bi) = ((imaginary[bin] + imaginary[mirror]) / 2, (real[mirror] - real[bin]) / 2)
            power[bin] = br * br + bi * bi
            (response[bin], other[bin]) = (ar * br + ai * bi, ai * br - ar * bi)
        }
        let around = power[max(1, edge - edge / 20)..<max(2, min(size / 2, edge))]
        let floor = regularisation * (around.reduce(0, +) / Double(max(1, around.count)))
        for bin in 1..<size / 2 {
            let weight = Self.weight(Double(bin) * binWidth, limit: limit, end: end) / (power[bin] + max(floor, 1e-30))
            response[bin] *= weight
            other[bin] *= weight
            (response[size - bin], other[size - bin]) = (response[bin], -other[bin])
        }
        (real, imaginary) = (response, other)
        return power
    }

    /// 1 within the band, falling to 0 where the sweep begins and ends.
    private static func weight(_ frequency: Double, limit: Double, end: Double) -> Double {
        let low =
            log(max(frequency, 1) / ResponseSweep.lowest) / log(ResponseSweep.band.lowerBound / ResponseSweep.lowest)
        let high = (end - frequency) / (end - limit)
        let edge = min(low, high, 1)
        return edge <= 0 ? 0 : 0.5 - 0.5 * cos(Double.pi * edge)
    }

    private func value(_ index: Int) -> Double {
        values[(index % values.count + values.count) % values.count]
    }

    private var peak: Int {
        let reach = Int(Self.search * rate)
        return (-reach...reach).max { abs(value($0)) < abs(value($1)) } ?? 0
    }

    /// Decibels by which the arrival stands above what lies where there should be none: far less for another sound.
    var compactness: Double {
        let far = (Int(0.9 * rate)..<Int(1.5 * rate)).map { abs(value($0)) }.sorted()
        let usual = far.isEmpty ? 0 : far[far.count / 2]
        return 20 * log10(max(abs(value(peak)), 1e-15) / max(usual, 1e-15))
    }

    /// The frequency response in a window that lies `lag` seconds after the arrival.
    func spectrum(_ window: Window = .response, lag: Double = 0) -> FrequencyResponse {
        let centre = Int(((arrival + lag) * rate).rounded())
        return spectrum(window) { value(centre + $0) }
    }

    /// What noise looks like in the response: that of a recording in which there is nothing else.
    ///
    /// - Parameter end: the frame at which the noise ends.
    func noise(in samples: [Float], endingAt end: Int) -> FrequencyResponse {
        let start = end - Int(Window.response.after * rate)
        let noise = spectrum(.response) { index in
            samples.indices.contains(start + index) ? Double(samples[start + index]) : 0
        }
        return noise.raised(by: sweepPower.decibels.map { -$0 })
    }

    private func spectrum(_ window: Window, _ value: (Int) -> Double) -> FrequencyResponse {
        let (before, count) = (Int(window.before * rate), Int(window.seconds * rate))
        let transform = FourierTransform(atLeast: 2 * count)
        var real = [Double](repeating: 0, count: transform.size)
        var imaginary = real
        for index in 0..<count {
            real[index] = window.weight(at: Double(index - before) / rate) * value(index - before)
        }
        transform.forward(&real, &imaginary)
        let power = (0..<transform.size / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
        return FrequencyResponse(power: power, binWidth: rate / Double(transform.size), upTo: limit)
    }

    /// The amplitude of all harmonics as a part of that of the sound, 400 Hz … 3 kHz; nil when they don't stand out of
    /// the noise.
    var distortion: Double? {
        func power(_ lag: Double) -> Double {
            let response = spectrum(.harmonic, lag: lag)
            let values = zip(FrequencyResponse.frequencies, response.decibels)
                .filter { Self.harmonicBand.contains($0.0) }.map { pow(10, $0.1 / 10) }
            return values.reduce(0, +) / Double(max(1, values.count))
        }
        let sound = power(0)
        let noise = power(1)
        let all = Self.harmonics.reduce(0) { $0 + power(-ResponseSweep.octaveSeconds * log2(Double($1))) }
        let rest = all - noise * Double(Self.harmonics.count)
        guard sound > 0, rest > noise * Double(Self.harmonics.count) else { return nil }
        return (rest / sound).squareRoot()
    }
}
