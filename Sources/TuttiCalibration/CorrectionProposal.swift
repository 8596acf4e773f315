import Glibc
package import TuttiChain

/// Filters that bring a measured room nearer to a target, and what is to be expected of them.
///
/// They cut what is too loud, down to −15 dB. They raise wide dips by 4 dB at most, never narrow ones, nor what lies
/// below the loudspeaker's lower end. Above the range there is no correction: what a microphone measures there holds for
/// its own place alone.
package struct CorrectionProposal: Sendable {
    /// What a correction should be like.
    package struct Settings: Sendable {
        /// What the room should be like.
        package var target: ResponseTarget
        /// Hz up to where it is corrected, within `CorrectionProposal.upperLimits`.
        package var upTo: Double
        /// Filters at most, 1 … 20.
        package var maximumBands: Int

        /// Settings.
        package init(
            target: ResponseTarget = .room, upTo: Double = CorrectionProposal.usualLimit, maximumBands: Int = 10
        ) {
            (self.target, self.upTo, self.maximumBands) = (target, upTo, maximumBands)
        }
    }

    /// Hz up to where a correction may reach.
    package static let upperLimits = 100.0...16_000.0
    /// The same unless something else is wanted.
    package static let usualLimit = 500.0
    /// Frames a second that the prediction is for. At other rates it is the same within hundredths of a dB below 5 kHz.
    package static let sampleRate = 48_000.0

    /// The filters in order of their frequencies, rounded as they are written; none where there is nothing to correct.
    package let bands: [EQBand]
    /// Decibels, 0 or less: with it, no frequency is raised above full scale.
    package let headroom: Double
    /// The measured response.
    package let measured: FrequencyResponse
    /// The same, smoothed.
    package let before: FrequencyResponse
    /// The response to be expected with the filters, smoothed, without the headroom.
    package let after: FrequencyResponse
    /// The target at the points of the response.
    package let target: FrequencyResponse
    /// Hz in which the room is corrected.
    package let range: ClosedRange<Double>
    /// RMS of the deviation from the target in the range, in dB.
    package let deviationBefore: Double
    package let deviationAfter: Double

    /// Proposes filters. Settings outside of their limits are clamped.
    package init(_ measurement: ResponseMeasurement, _ settings: Settings = Settings()) {
        let wanted = settings.upTo.isNaN ? Self.usualLimit : settings.upTo
        let upTo = min(max(wanted, Self.upperLimits.lowerBound), Self.upperLimits.upperBound)
        let before = measurement.response.smoothed(octaves: ResponseMeasurement.smoothing)
        let end = min(upTo, measurement.usable.upperBound)
        let goal = CorrectionGoal(
            before, settings.target, usable: measurement.usable, upTo: end, maximumBoost: BandFit.maximumBoost)
        let fit = BandFit(
            goal, upTo: end, maximumCount: min(max(settings.maximumBands, 1), 20), sampleRate: Self.sampleRate)
        var bands = fit.bands.map(Self.rounded)
        // Boosts may add up to more than each of them.
        for _ in 0..<20 where (Self.correction(bands).max() ?? 0) > BandFit.maximumBoost + 0.05 {
            bands = bands.map { band in
                var band = band
                if band.gain > 0 { band.gain = (band.gain * 9).rounded(.down) / 10 }
                return band
            }
        }
        self.bands = bands.filter { $0.gain != 0 }
        let correction = Self.correction(self.bands)
        headroom = min(0, -((correction.max() ?? 0) * 10 - 1e-6).rounded(.up) / 10)
        (self.measured, self.before) = (measurement.response, before)
        after = measurement.response.raised(by: correction).smoothed(octaves: ResponseMeasurement.smoothing)
        target = FrequencyResponse(decibels: FrequencyResponse.frequencies.map { settings.target.level(at: $0) })
        let range = min(measurement.usable.lowerBound, end)...end
        self.range = range
        deviationBefore = Self.deviation(self.before, target, range)
        deviationAfter = Self.deviation(after, target, range)
    }

    /// The filters as a room's effects, with headroom before them.
    package var chain: EffectChain {
        guard !bands.isEmpty else { return EffectChain() }
        let equalizer = Effect.equalizer(bands)
        return EffectChain(headroom < 0 ? [.gain(headroom), equalizer] : [equalizer])
    }

    /// What the filters do at each point of the grid, in dB.
    package static func correction(_ bands: [EQBand]) -> [Double] {
        let magnitudes = bands.map { BandMagnitude($0, sampleRate: sampleRate) }
        return FrequencyResponse.frequencies.map { frequency in
            magnitudes.reduce(0) { $0 + $1.decibels(at: frequency) }
        }
    }

    private static func deviation(
        _ response: FrequencyResponse, _ target: FrequencyResponse, _ range: ClosedRange<Double>
    ) -> Double {
        let squares = zip(FrequencyResponse.frequencies, zip(response.decibels, target.decibels))
            .filter { range.contains($0.0) }.map { ($0.1.0 - $0.1.1) * ($0.1.0 - $0.1.1) }
        return squares.isEmpty ? 0 : (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    private static func rounded(_ band: EQBand) -> EQBand {
        let steps = band.frequency < 1_000 ? 10.0 : 0.1
        return EQBand(
            band.kind, frequency: (band.frequency * steps).rounded() / steps, gain: (band.gain * 10).rounded() / 10,
            q: (band.q * 100).rounded() / 100)
    }
}
