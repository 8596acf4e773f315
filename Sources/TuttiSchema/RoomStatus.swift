/// How a room stands, as `tutti status --json` prints it: one object of all that is known.
@dynamicMemberLookup package struct RoomStatus: Sendable, Equatable, Codable {
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

    /// Which room it is, how it is set and what is said of it; what is not known is left out.
    package struct Basics: Sendable, Equatable, Codable {
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
        /// The loudest that it plays, 0 … 100; left out where that is 100.
        package var maxVolume: Double?
        /// Whether its volume cannot be set; left out where it can.
        package var volumeFixed: Bool?
        /// Whether it shows pictures; left out where it does not.
        package var screen: Bool?
        /// Silent, whatever the volume.
        package var muted: Bool?
        /// Whether an announcement sounds there, with the music lowered for it.
        package var announcing: Bool?
        /// Milliseconds.
        package var outputDelayMs: Double?
        /// `hardware`, `kernel` or `user`: where the clock's samples are stamped, by the lesser of both ways.
        package var stamps: String?
        /// The same of requests.
        package var stampsForward: String?
        /// The same of replies.
        package var stampsReturn: String?
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

    package var basics: Basics
    package var figures = SpeakerFigures()

    /// A room of which no more is known.
    package init(name: String, id: String? = nil, address: String, state: State) {
        basics = Basics(name: name, id: id, address: address, state: state)
    }

    package init(from decoder: any Decoder) throws {
        (basics, figures) = (try Basics(from: decoder), try SpeakerFigures(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try basics.encode(to: encoder)
        try figures.encode(to: encoder)
    }

    package subscript<Value>(dynamicMember field: WritableKeyPath<Basics, Value>) -> Value {
        get { basics[keyPath: field] }
        set { basics[keyPath: field] = newValue }
    }

    package subscript<Value>(dynamicMember figure: WritableKeyPath<SpeakerFigures, Value>) -> Value {
        get { figures[keyPath: figure] }
        set { figures[keyPath: figure] = newValue }
    }
}
