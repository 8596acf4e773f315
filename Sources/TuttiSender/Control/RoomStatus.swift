package import TuttiWire

/// How a room stands, as `tutti status --json` prints it; figures not known are left out.
package struct RoomStatus: Sendable, Equatable, Codable {
    /// The room's name.
    package var name: String
    /// The speaker's id.
    package var id: String?
    /// `HOST:PORT`.
    package var address: String
    /// The speaker's state, or `connecting`, `unreachable` or `taken` (by another sender, as a person wants it).
    package var state: String
    /// 0 … 100.
    package var volume: Double?
    /// Silent, whatever the volume.
    package var muted: Bool?
    /// Whether an announcement sounds there, with the music lowered for it.
    package var announcing: Bool?
    /// Milliseconds.
    package var outputDelayMs: Double?
    /// Audio held, in pairs of seconds on the scale of `position`.
    package var loaded: [[Double]]
    /// Whether what is held and comes will last.
    package var likelyToKeepUp: Bool
    /// Times that audio ran out.
    package var stalls: Int
    /// Times that the device ran dry.
    package var xruns: Int
    /// Own estimate, in µs; positive when the sound is late.
    package var syncErrorUs: Double?
    /// 99th percentile of its magnitude, in µs.
    package var syncErrorP99Us: Double?
    /// Standard deviation of the clock's offset, in µs.
    package var clockOffsetSigmaUs: Double?
    /// The room's clock against the group's.
    package var clockDriftPpm: Double?
    /// Its standard deviation.
    package var clockDriftSigmaPpm: Double?
    /// The card's clock against the room's host.
    package var dacPpm: Double?
    /// Its standard deviation.
    package var dacSigmaPpm: Double?
    /// Round trip of the clock exchange, in µs.
    package var rttUs: Double?
    /// `hardware`, `kernel` or `user`: where the clock's samples are stamped, by the lesser of both ways.
    package var stamps: String?
    /// The same of requests.
    package var stampsForward: String?
    /// The same of replies.
    package var stampsReturn: String?
    /// How the room's system clock stands to the group's, where the group's may be taken from it.
    package var systemClock: SystemClockStatus?
    /// The codec on the wire.
    package var codec: String?
    /// The device's format.
    package var format: String?
    /// Encoded bytes held.
    package var bufferedBytes: UInt64?
    /// Whether the card gets the source's own bits; only of the reference room.
    package var bitPerfect: Bool?
    /// Why it does not.
    package var bitPerfectReason: String?
    /// The output device.
    package var device: String?
    /// What is wrong, if something is.
    package var message: String?
}
