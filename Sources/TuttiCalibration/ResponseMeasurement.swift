import Glibc
import TuttiSignal

/// A room's frequency response, from recordings of a `ResponseSweep`.
///
/// A recording may begin at any time before the first chirp, and end at any time after the second. Its clock may be up
/// to 500 ppm wrong, and its level does not matter.
package struct ResponseMeasurement: Sendable, Equatable {
    /// Levels, not smoothed; 0 dB is the mean between 200 Hz and 2 kHz.
    package let response: FrequencyResponse
    /// The noise in it, on the same scale.
    package let noise: FrequencyResponse
    /// Hz between which the response stands 10 dB or more above the noise.
    package let usable: ClosedRange<Double>
    /// Decibels by which the response stands above the noise between 200 Hz and 2 kHz, on average.
    package let signalToNoise: Double
    /// How much faster the recorder's clock ran than the player's, in ppm.
    package let recorderPpm: Double
    /// RMS of the sweep in the recording, dB of full scale.
    package let level: Double
    /// The amplitude of the harmonics that were added, as a part of that of the sound; nil below the noise.
    package let distortion: Double?

    /// Frames a second that can be evaluated.
    package static let sampleRates = 8_000...192_000
    /// The longest recording that is looked at, in seconds.
    package static let longest = 180.0
    /// Hz in which the mean level is 0 dB.
    package static let reference = 200.0...2_000.0
    /// Octaves over which responses are smoothed for people and corrections.
    package static let smoothing = 1.0 / 6

    /// Decibels above the noise from where on a level is usable.
    private static let usableAbove = 10.0
    /// Decibels by which a true arrival stands above the rest, at least; other sounds reach 15.
    private static let leastCompactness = 20.0
    /// The share of clipped samples that is too much: a resonance clips for a short time only.
    private static let clippedLimit = 0.0005
    /// Decibels by which the chirps may differ.
    private static let steadiness = 3.0
    /// Octaves over which noise is smoothed.
    private static let noiseSmoothing = 1.0 / 3

    /// Looks at a recording.
    ///
    /// - Parameter samples: one channel, full scale at ±1.
    /// - Throws: why it does not tell.
    package init(_ samples: [Float], sampleRate: Int) throws(ResponseError) {
        guard Self.sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
        let seconds = Double(samples.count) / Double(sampleRate)
        guard seconds >= ResponseSweep.secondChirp - ResponseSweep.firstChirp, seconds <= Self.longest else {
            throw .length(seconds)
        }
        guard samples.contains(where: { $0 != 0 && $0.isFinite }) else { throw .silent }
        let clean = samples.map { $0.isFinite ? min(max($0, -16), 16) : 0 }
        let position = try SweepPosition(clean, sampleRate: sampleRate)
        let impulse = SweepImpulse(clean, sampleRate: sampleRate, position: position)
        guard impulse.compactness >= Self.leastCompactness else { throw .notFound }
        let sweep = Self.sweep(in: clean, sampleRate: sampleRate, position)
        let share = ChannelCheck.clippedShare(Array(sweep))
        guard share <= Self.clippedLimit else { throw .clipped(share: share) }
        guard abs(position.levelChange) <= Self.steadiness else { throw .unsteady(decibels: position.levelChange) }

        let noiseEnd = Int(position.start - 0.05 * Double(sampleRate))
        self.init(
            response: impulse.spectrum(),
            noise: impulse.noise(in: clean, endingAt: noiseEnd).smoothed(octaves: Self.noiseSmoothing),
            recorderPpm: position.rateError * 1e6, level: 20 * log10(max(sweep.rootMeanSquare, 1e-10)),
            distortion: impulse.distortion)
        guard signalToNoise >= Self.usableAbove else { throw .noise(decibels: signalToNoise) }
    }

    /// Measurements of one room at several places, each as loud as the others.
    ///
    /// - Returns: nil for none.
    package init?(meanOf measurements: [ResponseMeasurement]) {
        guard let first = measurements.first else { return nil }
        guard measurements.count > 1 else {
            self = first
            return
        }
        let distortions = measurements.compactMap(\.distortion)
        self.init(
            response: .mean(of: measurements.map(\.response)), noise: .mean(of: measurements.map(\.noise)),
            recorderPpm: first.recorderPpm, level: measurements.map(\.level).min() ?? first.level,
            distortion: distortions.isEmpty ? nil : distortions.reduce(0, +) / Double(distortions.count))
    }

    private init(
        response: FrequencyResponse, noise: FrequencyResponse, recorderPpm: Double, level: Double, distortion: Double?
    ) {
        let smooth = response.smoothed(octaves: Self.smoothing)
        let mean = smooth.mean(in: Self.reference)
        self.response = FrequencyResponse(decibels: response.decibels.map { $0 - mean })
        self.noise = FrequencyResponse(decibels: noise.decibels.map { $0 - mean })
        (self.recorderPpm, self.level, self.distortion) = (recorderPpm, level, distortion)
        signalToNoise = mean - noise.mean(in: Self.reference)
        usable = Self.usable(smooth, noise)
    }

    /// The band around the reference in which the level is usable throughout.
    private static func usable(_ response: FrequencyResponse, _ noise: FrequencyResponse) -> ClosedRange<Double> {
        let grid = FrequencyResponse.frequencies
        let good = zip(response.decibels, noise.decibels).map { $0 - $1 >= usableAbove }
        let middle = grid.indices.filter { reference.contains(grid[$0]) && $0 < good.count }
        var low = middle.first ?? 0
        var high = middle.last ?? 0
        while low > 0, good[low - 1] { low -= 1 }
        while high + 1 < good.count, good[high + 1] { high += 1 }
        return grid[low]...grid[max(low, high)]
    }

    private static func sweep(in samples: [Float], sampleRate: Int, _ position: SweepPosition) -> ArraySlice<Float> {
        let first = min(max(0, Int(position.start)), samples.count)
        return samples[first..<min(samples.count, first + Int(ResponseSweep.duration * Double(sampleRate)))]
    }
}
