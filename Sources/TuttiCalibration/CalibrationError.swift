/// Why a recording does not tell how late the rooms are.
package enum CalibrationError: Error, Sendable, Equatable {
    /// It has fewer frames a second than the chirps need.
    case sampleRate(Int)
    /// It is shorter than a pattern, or longer than anybody would record; seconds.
    case length(Double)
    /// There is no sound in it at all.
    case silent
    /// Too few of a room's chirps stand above the noise.
    case notHeard(room: Int, heard: Int)
    /// The chirps of a room do not come at even distances: milliseconds of spread.
    case unsteady(room: Int, milliseconds: Double)
}
