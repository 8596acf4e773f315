/// How one room of a `QueuePlayer` stands. Figures that are not known are nil.
public struct PlayerRoom: Sendable, Hashable, Identifiable {
    /// What a room does.
    public enum State: Sendable, Hashable {
        /// The connection is coming up.
        case connecting
        /// It cannot be reached; `problem` says why. It is tried again.
        case unreachable
        /// It is connected and waits for sound.
        case preparing
        /// It is heard.
        case playing
        /// It is held.
        case paused
        /// It lacks sound that should be heard now.
        case stalled
        /// It has played all there is.
        case ended
        /// Its device is gone; it is looked for.
        case deviceLost
    }

    /// The room's name.
    public var name: String
    /// `HOST:PORT`.
    public var address: String
    /// What it does.
    public var state: State
    /// 0 … 1.
    public var volume: Double?
    /// Whether it is silent, whatever the volume.
    public var isMuted: Bool?
    /// Whether what it holds and gets will last.
    public var isLikelyToKeepUp: Bool
    /// How often sound was missing.
    public var stallCount: Int
    /// How often its device ran dry.
    public var underrunCount: Int
    /// Its own estimate of how late its sound is.
    public var syncError: Duration?
    /// How far it may be from another room, uncertainty included: the 99th percentile.
    public var syncErrorP99: Duration?
    /// How well it knows the group's clock: one standard deviation.
    public var clockSigma: Duration?
    /// Its clock against the group's, in ppm.
    public var clockDrift: Double?
    /// Its card's clock against its host's, in ppm.
    public var deviceDrift: Double?
    /// Round trip to whoever it asks for the time.
    public var roundTrip: Duration?
    /// What it is sent, such as `flac`.
    public var codec: String?
    /// Its device's format, as `RATE:BITS:CHANNELS`.
    public var format: String?
    /// Its device.
    public var device: String?
    /// Encoded bytes that it holds.
    public var bufferedBytes: Int?
    /// What is wrong, if something is.
    public var problem: String?

    /// The name and the address.
    public var id: String { name + "@" + address }
}
