import Glibc

/// Where in a recording a `ResponseSweep` lies, by its two chirps.
struct SweepPosition {
    /// The frame at which the sweep begins, with its fraction.
    let start: Double
    /// How much faster the recorder counts seconds than the player, less one.
    let rateError: Double
    /// Decibels by which the second chirp is louder than the first.
    let levelChange: Double

    /// Recorders' clocks are better than this.
    private static let largestRateError = 500e-6
    /// A chirp stands so far above the median of the recording (14 dB), and so far when nothing goes with it (20 dB).
    private static let threshold = 5.0
    private static let aloneThreshold = 10.0
    /// Seconds before and after a chirp's strongest arrival in which both chirps are compared.
    private static let before = 0.01
    private static let after = 0.03
    /// Seconds from chirp to chirp.
    private static let distance = ResponseSweep.secondChirp - ResponseSweep.firstChirp

    /// - Parameter samples: finite.
    /// - Throws: `.tooSoft`, `.notFound` or `.cut`.
    init(_ samples: [Float], sampleRate: Int) throws(ResponseError) {
        let response = ChirpResponse(samples: samples, sampleRate: sampleRate)
        guard let pair = Self.pair(in: response) else {
            throw Self.failure(samples, response)
        }
        let rate = Double(sampleRate)
        let distance = Self.alignedDistance(response, pair)
        rateError = distance / (Self.distance * rate) - 1
        start = response.refined(pair.first) + (ResponseSweep.start - ResponseSweep.firstChirp) * rate * (1 + rateError)
        levelChange = 20 * log10(response.level(pair.second) / response.level(pair.first))
    }

    /// The two frames of the strongest peaks at the right distance, both above the threshold.
    private static func pair(in response: ChirpResponse) -> (first: Int, second: Int)? {
        let rate = Double(response.sampleRate)
        let nominal = Int((distance * rate).rounded())
        let slack = Int((distance * largestRateError * rate).rounded(.up)) + 1
        let limit = threshold * Double(response.floor)
        let step = max(1, response.sampleRate / 200)
        var best: (level: Double, first: Int, second: Int)?
        var start = 0
        while start + nominal - slack < response.envelope.count {
            defer { start += step }
            guard let first = response.peak(in: start..<start + step), response.level(first) > limit,
                let second = response.peak(in: first + nominal - slack..<first + nominal + slack + 1)
            else { continue }
            let level = min(response.level(first), response.level(second))
            if level > limit, level > best?.level ?? 0 { best = (level, first, second) }
        }
        return best.map { ($0.first, $0.second) }
    }

    /// Frames from the first chirp to the second: where their echoes fit best, not their peaks alone, which may change
    /// places.
    private static func alignedDistance(_ response: ChirpResponse, _ pair: (first: Int, second: Int)) -> Double {
        let rate = Double(response.sampleRate)
        let nominal = Int((distance * rate).rounded())
        let slack = Int((distance * largestRateError * rate).rounded(.up)) + 1
        let window = pair.first - Int(before * rate)..<pair.first + Int(after * rate)
        let first = window.map { response.level($0) }
        func likeness(_ shift: Int) -> Double {
            var (cross, power) = (0.0, 0.0)
            for (index, value) in first.enumerated() {
                let other = response.level(window.lowerBound + nominal + shift + index)
                cross += value * other
                power += other * other
            }
            return cross / max(power, 1e-30).squareRoot()
        }
        let values = (-slack...slack).map(likeness)
        guard let best = values.indices.max(by: { values[$0] < values[$1] }) else { return Double(nominal) }
        var shift = Double(best - slack)
        if best > 0, best + 1 < values.count {
            let bend = values[best - 1] - 2 * values[best] + values[best + 1]
            if bend < 0 { shift += min(max((values[best - 1] - values[best + 1]) / (2 * bend), -0.5), 0.5) }
        }
        return Double(nominal) + shift
    }

    /// Why no pair of chirps was found.
    private static func failure(_ samples: [Float], _ response: ChirpResponse) -> ResponseError {
        if let peak = response.peak(in: 0..<response.envelope.count),
            response.level(peak) > aloneThreshold * Double(response.floor)
        {
            let frames = Int(distance * Double(response.sampleRate))
            if peak < frames || peak + frames >= response.envelope.count { return .cut }
        }
        let loudest = ChannelCheck.loudest(samples, hop: max(1, response.sampleRate / 10))
        if loudest < ChannelCheck.quietest { return .tooSoft(decibels: 20 * log10(max(loudest, 1e-10))) }
        return .notFound
    }
}
