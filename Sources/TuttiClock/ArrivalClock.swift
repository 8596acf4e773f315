package import TuttiCore

/// Fits the map between this host's clock and the frames of a source that says nothing of its clock: from when they
/// arrived.
///
/// What arrives may be late and is never early. Of each half second the arrival that came earliest, against the
/// nominal rate, is kept, and a straight line is laid through what was kept of the last minute; the rate is assumed to
/// be within some 100 ppm of nominal until readings say better.
package struct ArrivalClock: Sendable {
    /// Nanoseconds of which the earliest arrival counts.
    private static let window: Int64 = 500_000_000
    /// How many of them are kept.
    private static let memory = 120
    /// Standard deviation of a rate of which nothing is known, as a plain ratio.
    private static let unknownRate = 100e-6
    /// The least standard deviation of a kept arrival, in ns, and the first guess at it.
    private static let (leastNoise, firstNoise) = (20_000.0, 300_000.0)

    /// An arrival: nanoseconds since the anchor, and how much later than at the nominal rate.
    private struct Arrival {
        var time: Double
        var lateness: Double
    }

    /// Nanoseconds that a frame nominally lasts.
    private let frame: Double
    private var anchor: (host: Int64, frames: Int64)?
    private var kept: [Arrival] = []
    private var present: (window: Int64, earliest: Arrival)?
    /// The rate that was known when the readings began anew, and its variance.
    private var prior = (slope: 0.0, variance: unknownRate * unknownRate)

    /// A clock of nominally `sampleRate` frames a second.
    ///
    /// - Precondition: the rate is positive.
    package init(sampleRate: Int) {
        precondition(sampleRate > 0, "a rate is positive")
        frame = 1e9 / Double(sampleRate)
    }

    /// By `hostTime` so many frames have arrived.
    package mutating func observe(hostTime: HostTime, frames: Int64) {
        guard let anchor else {
            anchor = (hostTime.nanoseconds, frames)
            present = (0, Arrival(time: 0, lateness: 0))
            return
        }
        let elapsed = hostTime.nanoseconds(since: HostTime(nanoseconds: anchor.host))
        let time = Double(elapsed)
        let arrival = Arrival(time: time, lateness: time - Double(frames - anchor.frames) * frame)
        let number = elapsed / Self.window
        guard let old = present, old.window == number else {
            if let old = present { keep(old.earliest) }
            present = (number, arrival)
            return
        }
        if arrival.lateness < old.earliest.lateness { present?.earliest = arrival }
    }

    private mutating func keep(_ arrival: Arrival) {
        kept.append(arrival)
        if kept.count > Self.memory { kept.removeFirst() }
    }

    /// The source has paused: when its next frames arrive says nothing of those before. Its rate stays known.
    package mutating func restart() {
        if let line { prior = (line.slope, max(line.variance, 1e-12)) }
        (anchor, present, kept) = (nil, nil, [])
    }

    /// The line through what is known; nil before anything arrived.
    package var estimate: DACEstimate? {
        guard let anchor, let line, let last = present?.earliest ?? kept.last else { return nil }
        let lateness = line.lateness + line.slope * (last.time - line.time)
        // Frames that the source has captured by then, against what it nominally would have.
        let frames = (last.time - lateness) / frame
        let whole = frames.rounded(.down)
        // A source that is slow by `slope` is later with each frame by so much of its length.
        let rate = (1 - line.slope) / frame
        return DACEstimate(
            referenceHostNanoseconds: Nanoseconds.add(anchor.host, Nanoseconds.rounded(last.time)),
            referenceFrame: anchor.frames &+ Int64(whole), referenceFrameFraction: frames - whole,
            framesPerNanosecond: rate, positionSigma: line.noise, ppm: -line.slope * 1e6,
            ppmSigma: line.variance.squareRoot() * 1e6)
    }

    /// Lateness at `time`, how fast it grows, that number's variance, and how far arrivals are off the line.
    private var line: (time: Double, lateness: Double, slope: Double, variance: Double, noise: Double)? {
        // The present window counts only while there is no other.
        let all = kept.isEmpty ? present.map { [$0.earliest] } ?? [] : kept
        guard let first = all.first else { return nil }
        guard all.count > 1 else { return (first.time, first.lateness, prior.slope, prior.variance, Self.firstNoise) }
        let count = Double(all.count)
        let time = all.reduce(0) { $0 + $1.time } / count
        let lateness = all.reduce(0) { $0 + $1.lateness } / count
        let spread = all.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
        let product = all.reduce(0) { $0 + ($1.time - time) * ($1.lateness - lateness) }
        var noise = Self.firstNoise
        var slope = prior.slope
        var variance = prior.variance
        // How far arrivals are off the line weighs them against what was known, which moves the line a little.
        for _ in 0..<3 {
            let weight = spread / (noise * noise)
            variance = 1 / (weight + 1 / prior.variance)
            slope = variance * (product / (noise * noise) + prior.slope / prior.variance)
            let rest = all.reduce(0) { sum, arrival in
                let off = arrival.lateness - lateness - slope * (arrival.time - time)
                return sum + off * off
            }
            // Of few arrivals nobody can tell how far they are off: the first guess counts as eight of them.
            let guesses = count < 20 ? 8.0 : 0
            let sum = rest + guesses * Self.firstNoise * Self.firstNoise
            noise = max((sum / (count + guesses)).squareRoot(), Self.leastNoise)
        }
        return (time, lateness, slope, variance, noise)
    }
}
