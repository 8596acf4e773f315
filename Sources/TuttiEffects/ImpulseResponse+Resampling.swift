import Glibc

extension ImpulseResponse {
    /// Zero crossings of the interpolating sinc on either side.
    private static let crossings = 48
    /// The Kaiser window's β, for 140 dB.
    private static let beta = 14.4
    /// Rates that a response may have that is resampled.
    private static let rates = 1_000...768_000
    /// Rates whose positions take more phases than these have their weights computed frame by frame.
    private static let maximumPhaseCount = 4_096
    /// The most frames of a response after resampling.
    private static let maximumResampledCount = 2 * maximumFrameCount

    /// Frames by which the response is later after resampling to `rate`: what rings before a sharp beginning has to have
    /// room.
    func resamplingDelay(at rate: Int) -> Int {
        guard rate != sampleRate else { return 0 }
        return Int((Double(Self.crossings) * max(1, Double(rate) / Double(sampleRate))).rounded(.up))
    }

    /// The same system at another rate; nil when the response would be too long.
    ///
    /// A band-limited interpolation by a Kaiser-windowed sinc, scaled so that the gain is kept.
    func resampled(to rate: Int) -> [[Double]]? {
        guard rate != sampleRate else { return channels.map { $0.map(Double.init) } }
        guard Self.rates.contains(rate), Self.rates.contains(sampleRate) else { return nil }
        let step = Double(sampleRate) / Double(rate)
        let lead = resamplingDelay(at: rate)
        let length = (Double(channels[0].count) / step).rounded(.up) + Double(2 * lead)
        guard length <= Double(Self.maximumResampledCount) else { return nil }
        // Positions repeat after as many frames as the lower terms of the ratio say.
        let divisor = Self.greatestCommonDivisor(rate, sampleRate)
        let (phaseCount, advance) = (rate / divisor, sampleRate / divisor)
        var phases: [Int: [Double]] = [:]
        var result = channels.map { _ in [Double](repeating: 0, count: Int(length)) }
        for frame in 0..<Int(length) {
            let numerator = (frame - lead) * advance
            let phase = (numerator % phaseCount + phaseCount) % phaseCount
            let whole = (numerator - phase) / phaseCount
            let taps = phases[phase] ?? Self.taps(at: Double(phase) / Double(phaseCount), step: step)
            if phaseCount <= Self.maximumPhaseCount { phases[phase] = taps }
            let first = whole - taps.count / 2 + 1
            for channel in channels.indices {
                let source = channels[channel]
                var sum = 0.0
                for index in max(0, -first)..<max(max(0, -first), min(taps.count, source.count - first)) {
                    sum += taps[index] * Double(source[first + index])
                }
                result[channel][frame] = sum * step
            }
        }
        return result
    }

    /// Weights of the frames around a position, `fraction` after the middle one; they add up to 1.
    private static func taps(at fraction: Double, step: Double) -> [Double] {
        let cutoff = min(1, 1 / step)
        let half = Int((Double(crossings) / cutoff).rounded(.up))
        let weights = (0..<2 * half).map { index in
            let x = Double(index - half + 1) - fraction
            let angle = Double.pi * cutoff * x
            let inside = max(0, 1 - (x / Double(half)) * (x / Double(half)))
            return (abs(angle) < 1e-9 ? 1 : sin(angle) / angle) * besselI0(beta * inside.squareRoot())
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }

    /// The modified Bessel function of order 0.
    private static func besselI0(_ x: Double) -> Double {
        var (sum, term, order) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / 2 / order) * (x / 2 / order)
            sum += term
            order += 1
        }
        return sum
    }

    private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
        second == 0 ? first : greatestCommonDivisor(second, first % second)
    }
}
