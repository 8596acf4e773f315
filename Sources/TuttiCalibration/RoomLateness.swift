/// How late a room was heard.
package struct RoomLateness: Sendable, Equatable {
    /// How far the figure is to be trusted.
    package enum Confidence: String, Sendable, Equatable {
        /// Right to a tenth of a millisecond.
        case good
        /// Noisy or unsteady; probably right to some tenths.
        case fair
    }

    /// The room's number in the schedule.
    package var room: Int
    /// Seconds that it was heard later than the reference room; negative when earlier.
    package var seconds: Double
    /// Standard deviation of a single chirp, in seconds.
    package var spread: Double
    /// Standard error of `seconds`.
    package var uncertainty: Double
    /// dB by which the chirps stand above the noise, after the filter.
    package var signalToNoise: Double
    /// Chirps that `seconds` rests on, of the schedule's `repeats`.
    package var heard: Int
    /// How far to trust it.
    package var confidence: Confidence
}
