package import TuttiCore

/// The line between this host's clock and the frames that left a sound card, as plain numbers.
///
/// Frame `referenceFrame + k` leaves at `referenceHostNanoseconds + k / framesPerNanosecond`. A frame index is a
/// position in the stream since the card's start: frame n leaves when exactly n frames have left before it.
package struct DACEstimate: Sendable, Equatable, BitwiseCopyable {
    /// Nanoseconds of the host clock at which the line is anchored.
    package var referenceHostNanoseconds: Int64
    /// The whole part of the frame that leaves at the reference.
    package var referenceFrame: Int64
    /// What is to be added to `referenceFrame`.
    package var referenceFrameFraction: Double
    /// The rate, frames a nanosecond of the host clock.
    package var framesPerNanosecond: Double
    /// Standard deviation of the position at the reference, nanoseconds.
    package var positionSigma: Double
    /// How much faster than nominal the card runs, parts per million of the host clock.
    package var ppm: Double
    /// Standard deviation of `ppm`.
    package var ppmSigma: Double

    /// A line through `referenceFrame`, plus its fraction, at the reference.
    package init(
        referenceHostNanoseconds: Int64, referenceFrame: Int64, referenceFrameFraction: Double,
        framesPerNanosecond: Double, positionSigma: Double, ppm: Double, ppmSigma: Double
    ) {
        self.referenceHostNanoseconds = referenceHostNanoseconds
        self.referenceFrame = referenceFrame
        self.referenceFrameFraction = referenceFrameFraction
        self.framesPerNanosecond = framesPerNanosecond
        self.positionSigma = positionSigma
        self.ppm = ppm
        self.ppmSigma = ppmSigma
    }

    /// Where the line is anchored.
    package var referenceHost: HostTime { HostTime(nanoseconds: referenceHostNanoseconds) }

    /// When an output frame leaves the card: whole nanoseconds of the host clock and what is to be added. RT.
    package func hostTime(ofFrame frame: Int64, fraction: Double = 0) -> (nanoseconds: Int64, fraction: Double) {
        let frames = Double(Nanoseconds.subtract(frame, referenceFrame)) - referenceFrameFraction + fraction
        let span = frames / framesPerNanosecond
        let whole = span.rounded(.down)
        return (Nanoseconds.add(referenceHostNanoseconds, Nanoseconds.rounded(whole)), span - whole)
    }

    /// The frame that leaves at `host + fraction`, counted from `base`. RT.
    package func frame(atHostNanoseconds host: Int64, fraction: Double = 0, since base: Int64) -> Double {
        let span = Double(Nanoseconds.subtract(host, referenceHostNanoseconds)) + fraction
        return Double(Nanoseconds.subtract(referenceFrame, base)) + referenceFrameFraction + span * framesPerNanosecond
    }
}
