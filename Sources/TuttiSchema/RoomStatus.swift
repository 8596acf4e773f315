/// How a room stands, as `tutti status --json` prints it; figures not known are left out.
package struct RoomStatus: Sendable, Equatable, Codable {
    /// What a room does.
    package enum State: String, Sendable, Codable, CaseIterable, CustomStringConvertible {
        /// The connection is coming up.
        case connecting
        /// It cannot be reached; it is tried again.
        case unreachable
        /// A person has asked another sender to play there.
        case taken
        /// Nothing plays.
        case idle
        /// Audio, clock or device are not ready.
        case preparing
        /// Ready to start at once.
        case primed
        /// Sound.
        case playing
        /// Held, with audio ready.
        case paused
        /// Out of audio while it should play.
        case stalled
        /// The last frame has been heard.
        case ended
        /// The output device is gone; it is looked for.
        case lostDevice = "lost-device"

        /// The word of `docs/json.md`.
        package var description: String { rawValue }
    }

    /// The room's name.
    package var name: String
    /// The speaker's id.
    package var id: String?
    /// `HOST:PORT`.
    package var address: String
    /// What it does.
    package var state: State
    /// 0 … 100.
    package var volume: Double?
    /// Silent, whatever the volume.
    package var muted: Bool?
    /// Whether an announcement sounds there, with the music lowered for it.
    package var announcing: Bool?
    /// Milliseconds.
    package var outputDelayMs: Double?
    /// Buffered audio, on the scale of the player's `position`.
    package var loaded = LoadedRanges()
    /// Whether what is held and comes will last.
    package var likelyToKeepUp = false
    /// Times that audio ran out.
    package var stalls = 0
    /// Times that the device ran dry.
    package var xruns = 0
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

    /// A room of which no more is known.
    package init(name: String, id: String? = nil, address: String, state: State) {
        self.name = name
        self.id = id
        self.address = address
        self.state = state
    }
}
