/// Why a recording does not tell how late a screen's pictures are.
package enum ScreenCalibrationError: Error, Sendable, Equatable {
    /// Its sound has fewer frames a second than the chirps need.
    case sampleRate(Int)
    /// It is shorter than half of the pattern, or longer than anybody would record; seconds.
    case length(Double)
    /// It has fewer pictures a second than are needed to see a flash, or none.
    case frameRate(Double)
    /// There is no sound in it at all.
    case silent
    /// Too few of the chirps stand above the noise.
    case notHeard(heard: Int)
    /// All pictures are black, or nearly.
    case dark
    /// Nothing in the pictures flashes with the pattern, within a second of the chirps.
    case noFlashes
    /// Too few of the flashes can be made out.
    case tooFewFlashes(seen: Int)
    /// Flashes and chirps have no constant distance: milliseconds of spread.
    case unsteady(milliseconds: Double)
}
