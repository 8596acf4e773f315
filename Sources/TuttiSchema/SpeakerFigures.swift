/// What a room holds, counts and measures, as its speaker reports it and a player passes it on. Figures not known are
/// nil, and left out of messages and JSON.
package struct SpeakerFigures: Sendable, Equatable, Codable {
    /// Buffered audio. A speaker gives it by media time, a player on the scale of its `position`. Both give it in
    /// seconds, so what is read of it is right to the nanosecond.
    package var loaded = LoadedRanges()
    /// Whether what is held and what comes will last.
    package var likelyToKeepUp = false
    /// Times that audio ran out.
    package var stalls = 0
    /// Times that the device ran dry.
    package var xruns = 0
    /// The last measured distance from where the sound should be, in µs; positive when it is late.
    package var syncErrorUs: Double?
    /// The 99th percentile of its magnitude over the last minute, in µs.
    package var syncErrorP99Us: Double?
    /// Standard deviation of the clock's offset, in µs.
    package var clockOffsetSigmaUs: Double?
    /// The host's clock against the group's, in parts per million; positive when the group clock is the faster one.
    package var clockDriftPpm: Double?
    /// Standard deviation of the drift, in parts per million.
    package var clockDriftSigmaPpm: Double?
    /// The card's clock against the host's, in parts per million; positive when the card is fast.
    package var dacPpm: Double?
    /// Standard deviation of the card's rate, in parts per million.
    package var dacSigmaPpm: Double?
    /// Round trip of the clock exchange, in µs.
    package var rttUs: Double?
    /// How the system clock stands; nil where the group's clock is never taken from it.
    package var systemClock: SystemClockStatus?
    /// The codec of what plays.
    package var codec: String?
    /// The device's format, as in `48000:24:2`.
    package var format: String?

    /// Nothing is known.
    package init() {}

    /// Those that a room has whether anything plays there or not.
    package var withoutSound: SpeakerFigures {
        var figures = self
        figures.takeSound(from: SpeakerFigures())
        return figures
    }

    /// Takes those of the sound that plays.
    package mutating func takeSound(from other: SpeakerFigures) {
        (codec, dacPpm, dacSigmaPpm) = (other.codec, other.dacPpm, other.dacSigmaPpm)
        (syncErrorUs, syncErrorP99Us) = (other.syncErrorUs, other.syncErrorP99Us)
    }
}
