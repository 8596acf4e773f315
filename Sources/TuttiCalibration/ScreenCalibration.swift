import Glibc

/// Finds out from a recording of a screen and a room that play the `FlashPattern` how late the pictures are.
///
/// The recording may begin and end at any time, and its clock may be up to 500 ppm wrong. The chirps say where the
/// pattern lies in it, to a fraction of a millisecond. The flashes are then looked for within a second of them.
///
/// A camera sees where a flash begins or ends to well below a picture: by how much of it the picture has. A flash's
/// middle is the mean of both, so that a camera's gradation, which makes beginnings seem early, makes ends seem as late.
package struct ScreenCalibration: Sendable {
    /// The longest recording that is looked at, in seconds.
    package static let longestRecording = 180.0
    /// The fewest pictures a second.
    package static let lowestFrameRate = 20.0
    /// Chirps and flashes that are needed.
    package static let quorum = FlashPattern.instants.count / 2 + 1

    /// So many flashes other light may seem to be.
    private static let chance = 3
    /// Seconds that pictures may be late or early.
    private static let reach = 1.0
    /// Seconds of standard error up to which a figure is of use.
    private static let acceptableError = 5e-3
    /// A recording is dark if no picture is brighter.
    private static let darkness = 0.04
    /// How many times the usual deviation a flash may lie off the others, and the seconds that it always may.
    private static let (deviations, tolerance) = (3.5, 8e-3)
    /// The part of a picture's time that a camera leaves open: it does not say when in it light is taken in.
    private static let open = 0.25
    /// Light is taken in over the exposure and the shutter's roll together. What shows of that is less: down to 0.7
    /// where both are alike, all where the shutter does not roll.
    private static let hiddenBlur = 1.25
    /// Pictures over which light is taken in at most: more is the display's own.
    private static let longestIntake = 1.4

    private let frames: [LuminanceSample]
    /// Seconds from a picture to the next, usually.
    private let interval: Double
    private let line: ArrivalFit

    /// Looks at a recording.
    ///
    /// - Parameters:
    ///   - frames: its pictures, in any order.
    ///   - samples: one channel of its sound, full scale at ±1.
    /// - Throws: `ScreenCalibrationError` when the recording does not tell.
    package static func analyse(
        _ frames: [LuminanceSample], samples: [Float], sampleRate: Int
    ) throws(ScreenCalibrationError) -> PictureLateness {
        guard sampleRate >= Calibration.lowestSampleRate else { throw .sampleRate(sampleRate) }
        let seconds = Double(samples.count) / Double(sampleRate)
        guard (FlashPattern.duration / 2...longestRecording).contains(seconds) else { throw .length(seconds) }
        guard samples.contains(where: { $0 != 0 && $0.isFinite }) else { throw .silent }
        let (sorted, interval) = try usable(frames)
        let clean = samples.map { $0.isFinite ? min(max($0, -16), 16) : 0 }
        let line = try chirps(ChirpResponse(samples: clean, sampleRate: sampleRate))
        return try ScreenCalibration(frames: sorted, interval: interval, line: line).result()
    }

    /// The pictures in order, and the usual distance between them.
    private static func usable(
        _ frames: [LuminanceSample]
    ) throws(ScreenCalibrationError) -> (frames: [LuminanceSample], interval: Double) {
        let sorted = frames.filter { $0.seconds.isFinite && $0.luminance.isFinite && abs($0.seconds) < 1e6 }
            .sorted { $0.seconds < $1.seconds }
        let distances = zip(sorted.dropFirst(), sorted).map { $0.seconds - $1.seconds }.filter { $0 > 0 }.sorted()
        guard !distances.isEmpty else { throw .frameRate(0) }
        let middle = distances[distances.count / 2]
        let usual = distances.filter { abs($0 - middle) <= middle / 4 }
        let interval = usual.reduce(0, +) / Double(usual.count)
        guard 1 / interval >= lowestFrameRate else { throw .frameRate(1 / interval) }
        return (sorted, interval)
    }

    /// The line from the pattern's time to the recording's.
    private static func chirps(_ response: ChirpResponse) throws(ScreenCalibrationError) -> ArrivalFit {
        let finder = ChirpArrivals(response)
        let strongest = finder.strongest(of: 0, instants: FlashPattern.instants)
        guard strongest.count >= quorum else { throw .notHeard(heard: strongest.count) }
        let coarse = ArrivalFit(strongest)
        let first = finder.first(of: strongest, offset: coarse.offsets[0] ?? 0, rateError: coarse.rateError)
        let fit = ArrivalFit(first)
        guard fit.kept.count >= quorum else { throw .notHeard(heard: fit.kept.count) }
        return fit
    }

    // MARK: Flashes

    private func result() throws(ScreenCalibrationError) -> PictureLateness {
        let begin = recorded(0)
        let near = frames.filter {
            $0.seconds > begin - Self.reach && $0.seconds < recorded(FlashPattern.duration) + Self.reach
        }
        guard near.contains(where: { $0.luminance > Self.darkness }) else { throw .dark }
        let search = FlashSearch(near.map { LuminanceSample(seconds: played($0.seconds), luminance: $0.luminance) })
        guard let lag = search.lag(within: Self.reach) else { throw .noFlashes }
        let sightings = FlashPattern.instants.compactMap { search.sighting(of: $0, lag: lag, interval: interval) }
        let kept = Self.consistent(sightings)
        guard kept.count > Self.chance else { throw .noFlashes }
        guard kept.count >= Self.quorum else { throw .tooFewFlashes(seen: kept.count) }
        let count = Double(kept.count)
        let mean = kept.reduce(0) { $0 + $1.late } / count
        let squares = kept.reduce(0) { $0 + ($1.late - mean) * ($1.late - mean) }
        let spread = (squares / (count - 1)).squareRoot()
        let standardError = spread / count.squareRoot()
        guard standardError <= Self.acceptableError else { throw .unsteady(milliseconds: spread * 1_000) }
        let blur = kept.reduce(0) { $0 + $1.blur } / count
        let intake = min(max(blur * Self.hiddenBlur, 0), Self.longestIntake * interval)
        return PictureLateness(
            // A picture's time is that at which it begins to take light in.
            seconds: mean + intake / 2, spread: spread, uncertainty: hypot(standardError, Self.open * interval),
            seen: kept.count, heard: line.kept.count, frameRate: 1 / interval)
    }

    /// What remains without flashes that lie off the others.
    private static func consistent(_ sightings: [FlashSighting]) -> [FlashSighting] {
        guard !sightings.isEmpty else { return [] }
        let middle = median(sightings.map(\.late))
        let usual = median(sightings.map { abs($0.late - middle) })
        let limit = max(tolerance, deviations * 1.48 * usual)
        let contrast = median(sightings.map(\.contrast))
        return sightings.filter { abs($0.late - middle) <= limit && $0.contrast >= 0.3 * contrast }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }

    private func recorded(_ played: Double) -> Double { (1 + line.rateError) * played + (line.offsets[0] ?? 0) }
    private func played(_ recorded: Double) -> Double { (recorded - (line.offsets[0] ?? 0)) / (1 + line.rateError) }
}
