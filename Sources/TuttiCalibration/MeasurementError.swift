/// Why a recording does not tell how far two rooms are apart.
package enum MeasurementError: Error, Sendable, Equatable {
    /// One side of a stereo recording.
    package enum Channel: String, Sendable, Equatable {
        case left, right
    }

    /// It has fewer or more frames a second than can be measured.
    case sampleRate(Int)
    /// It is too short; seconds.
    case tooShort(Double)
    /// There is no sound in either channel.
    case silent
    /// There is no sound in one channel; dB by which it is below the other.
    case dead(Channel, decibels: Double)
    /// Both channels hold the same samples, but for their volume.
    case identical
    /// A channel is clipped; the share of its samples.
    case clipped(Channel, share: Double)
    /// The two channels have nothing to do with each other.
    case unrelated
    /// They are alike, and further apart than is measured; seconds by which the right one is behind.
    case beyondRange(Double)
    /// They are alike, and too few windows say when; their number.
    case tooLittle(Int)
}
