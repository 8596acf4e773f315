import Glibc

/// Finds by how much one signal lags another, to a small fraction of a sample.
///
/// The cross spectrum of two windowed pieces is partly whitened (music is loud where it says least about time), its
/// transform's peak gives the whole samples, and Newton's method on the continuous correlation the rest: no
/// interpolation formula, so no bias of its own.
package struct DelayEstimator: Sendable {
    /// A measured lag.
    package struct Delay: Sendable, Equatable {
        /// Samples by which the second signal lags the first.
        package var samples: Double
        /// How much alike the two are, after whitening: 1 for a pure delay, near 0 for strangers.
        package var likeness: Double
        /// Standard error of `samples`, as the noise of the spectrum's phases around the lag says. What delays all
        /// frequencies alike is not in it.
        package var uncertainty: Double
        /// The highest other peak of the correlation within the limit, as a share of the one that counts; near 1 where
        /// a periodic sound fits at several lags, 0 without another.
        package var rival: Double
    }

    /// −120 dB of full scale: what is quieter has no time.
    private static let silence = 1e-6

    /// Samples of a window.
    package let size: Int
    private let transform: FourierTransform
    private let window: [Double]
    private let band: Range<Int>

    /// An estimator for windows of `size` samples (a power of two) of signals at `sampleRate`.
    package init(size: Int, sampleRate: Double) {
        transform = FourierTransform(atLeast: size)
        let points = transform.size
        self.size = points
        window = (0..<points).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(points)) }
        let low = max(1, Int(60 / sampleRate * Double(points)))
        band = low..<max(low + 1, Int(0.42 * Double(points)))
    }

    /// The lag of `second` behind `first` (both of `size` samples), sought within ±`limit` samples; nil when one of
    /// them is silent.
    package func delay(of second: ArraySlice<Float>, behind first: ArraySlice<Float>, limit: Int) -> Delay? {
        guard first.count == size, second.count == size, limit < size / 2 else { return nil }
        guard first.rootMeanSquare > Self.silence, second.rootMeanSquare > Self.silence else { return nil }
        var cross = crossSpectrum(first, second)
        guard whiten(&cross) else { return nil }
        var real = [Double](repeating: 0, count: size)
        var imaginary = real
        for (bin, k) in band.enumerated() {
            real[k] = cross.real[bin]
            imaginary[k] = cross.imaginary[bin]
        }
        // The negative frequencies are left out: the real part of the result is the correlation all the same.
        transform.inverse(&real, &imaginary)
        var best = 0
        for lag in -limit...limit where real[(lag + size) % size] > real[(best + size) % size] { best = lag }
        let rival =
            highest(of: real, besides: best, limit: limit) / max(real[(best + size) % size], .leastNormalMagnitude)
        let refined = refine(cross, from: Double(best))
        let total = zip(cross.real, cross.imaginary).reduce(0) { $0 + ($1.0 * $1.0 + $1.1 * $1.1).squareRoot() }
        return Delay(
            samples: refined.lag, likeness: refined.correlation / total,
            uncertainty: uncertainty(of: cross, at: refined.lag), rival: max(0, rival))
    }

    /// The lag of `second` behind `first` around frame `center`, sought within ±`limit` of `expected`; nil where a
    /// window would reach beyond an end. Half of the shift lies on each side, so that both windows stay about the same
    /// moment, and windows that were not set well are set again: a lag that is large within a window is pulled towards
    /// 0.
    package func delay(
        of second: [Float], behind first: [Float], around center: Int, near expected: Int, limit: Int
    ) -> Delay? {
        var whole = expected
        var found: Delay?
        for _ in 0..<2 {
            let start = center - size / 2 - whole / 2
            let late = start + whole
            guard start >= 0, late >= 0, start + size <= first.count, late + size <= second.count,
                var delay = delay(
                    of: second[late..<late + size], behind: first[start..<start + size],
                    limit: max(2, limit - abs(whole - expected)))
            else { return found }
            let rest = delay.samples
            delay.samples += Double(whole)
            delay.rival = max(delay.rival, found?.rival ?? 0)
            found = delay
            guard abs(rest) > Self.wellSet else { break }
            whole += Int(rest.rounded())
        }
        return found
    }

    /// Samples that a lag within a window may have.
    private static let wellSet = 2.0

    private struct Spectrum {
        var real: [Double]
        var imaginary: [Double]
    }

    /// second · conj(first) in the band; both transforms come out of one, as the signals are real.
    private func crossSpectrum(_ first: ArraySlice<Float>, _ second: ArraySlice<Float>) -> Spectrum {
        var real = zip(first, window).map { Double($0) * $1 }
        var imaginary = zip(second, window).map { Double($0) * $1 }
        transform.forward(&real, &imaginary)
        var cross = Spectrum(real: [], imaginary: [])
        cross.real.reserveCapacity(band.count)
        cross.imaginary.reserveCapacity(band.count)
        for k in band {
            let mirror = size - k
            let (ar, ai) = ((real[k] + real[mirror]) / 2, (imaginary[k] - imaginary[mirror]) / 2)
            let (br, bi) = ((imaginary[k] + imaginary[mirror]) / 2, (real[mirror] - real[k]) / 2)
            cross.real.append(br * ar + bi * ai)
            cross.imaginary.append(bi * ar - br * ai)
        }
        return cross
    }

    /// Divides by the root of the magnitude, and fades out what does not stand out of the spectrum's middle: between
    /// the lines of music there is only noise. False when there is no signal.
    private func whiten(_ cross: inout Spectrum) -> Bool {
        let magnitudes = zip(cross.real, cross.imaginary).map { ($0 * $0 + $1 * $1).squareRoot() }
        guard let largest = magnitudes.max(), largest > 1e-12 else { return false }
        let floor = max(4 * magnitudes.sorted()[magnitudes.count / 2], largest * 1e-9)
        for bin in magnitudes.indices where magnitudes[bin] > 0 {
            let prominence = magnitudes[bin] / floor
            let weight = prominence * prominence / (1 + prominence * prominence) / magnitudes[bin].squareRoot()
            cross.real[bin] *= weight
            cross.imaginary[bin] *= weight
        }
        return true
    }

    /// The highest of the correlation's peaks but the one at `best`, which goes down to a valley on each side.
    private func highest(of correlation: [Double], besides best: Int, limit: Int) -> Double {
        func value(_ lag: Int) -> Double { correlation[(lag + size) % size] }
        var low = best
        while low > -limit, value(low - 1) <= value(low) { low -= 1 }
        var high = best
        while high < limit, value(high + 1) <= value(high) { high += 1 }
        return ((-limit..<max(low, -limit)).map(value) + (min(high, limit)..<limit).map { value($0 + 1) }).max() ?? 0
    }

    /// The standard error of a lag, by the method of moments: the slope of the correlation is a sum over bins, each
    /// with a phase that is off by noise. A Hann window makes bins share noise with two neighbours on each side.
    private func uncertainty(of cross: Spectrum, at lag: Double) -> Double {
        let unit = 2 * Double.pi / Double(size)
        var curvature = 0.0
        let slopes = cross.real.indices.map { bin -> Double in
            let omega = unit * Double(band.lowerBound + bin)
            let (c, s) = (cos(omega * lag), sin(omega * lag))
            curvature += omega * omega * (cross.real[bin] * c - cross.imaginary[bin] * s)
            return omega * (cross.real[bin] * s + cross.imaginary[bin] * c)
        }
        guard curvature > 0 else { return .infinity }
        let alone = slopes.reduce(0) { $0 + $1 * $1 }
        let shared = [1, 2].reduce(alone) { sum, distance in
            sum + 2 * zip(slopes, slopes.dropFirst(distance)).reduce(0) { $0 + $1.0 * $1.1 }
        }
        return max(shared, alone).squareRoot() / curvature
    }

    private func refine(_ cross: Spectrum, from start: Double) -> (lag: Double, correlation: Double) {
        var lag = start
        var correlation = 0.0
        for _ in 0..<6 {
            let (value, slope, curvature) = correlate(cross, at: lag)
            correlation = value
            guard curvature < 0 else { break }
            let step = max(-0.5, min(0.5, -slope / curvature))
            // A peak of the sampled correlation is never more than a sample from that of the continuous one.
            guard abs(lag + step - start) <= 1 else { break }
            lag += step
            if abs(step) < 1e-7 { break }
        }
        return (lag, correlation)
    }

    /// The correlation at a lag with its first and second derivative.
    private func correlate(_ cross: Spectrum, at lag: Double) -> (Double, Double, Double) {
        let unit = 2 * Double.pi / Double(size)
        var (c, s) = (cos(unit * lag * Double(band.lowerBound)), sin(unit * lag * Double(band.lowerBound)))
        let (stepC, stepS) = (cos(unit * lag), sin(unit * lag))
        var (value, slope, curvature) = (0.0, 0.0, 0.0)
        for bin in 0..<cross.real.count {
            let omega = unit * Double(band.lowerBound + bin)
            let re = cross.real[bin] * c - cross.imaginary[bin] * s
            let im = cross.real[bin] * s + cross.imaginary[bin] * c
            value += re
            slope -= omega * im
            curvature -= omega * omega * re
            (c, s) = (c * stepC - s * stepS, c * stepS + s * stepC)
        }
        return (value, slope, curvature)
    }
}
