/// The hard limits of the protocol, the same for every implementation of this version.
package enum WireLimits {
    /// The version of the protocol that this module speaks.
    package static let version = 1
    /// The version on secured connections: the same messages, and those about trust.
    package static let securedVersion = 2
    /// Keys of a household's time in one message.
    package static let timeKeys = 4
    /// Bytes of such a key.
    package static let timeKeyBytes = 64
    /// Bytes of a list of revocations.
    package static let revocationBytes = 16 * 1024
    /// Bytes of a control frame's body.
    package static let controlBytes = 64 * 1024
    /// Bytes of a media frame's body, header included.
    package static let mediaBytes = 1024 * 1024
    /// Bytes of text in a name, an id or a device description.
    package static let textBytes = 256
    /// Bytes of text in a message meant for people.
    package static let messageBytes = 1024
    /// Formats that a sender may have announced in one session.
    package static let formats = 256
    /// Formats of pictures that a sender may have announced in one session.
    package static let pictureFormats = 64
    /// Bytes of a coded picture.
    package static let pictureBytes = 16 * 1024 * 1024
    /// Bytes of a magic cookie on the wire (base64 of more would not fit a control frame).
    package static let magicCookieBytes = 32 * 1024
    /// Ranges in a list of loaded ranges.
    package static let ranges = 256
    /// Bytes of a codec's name.
    package static let codecBytes = 32
    /// Entries in a list of codecs.
    package static let codecs = 32
    /// Members that stand in for the leader of a clock.
    package static let standIns = 64
    /// Senders that a room lets in beside its owner at a time.
    package static let overlays = 2
    /// Connections that may be open without having said who they are.
    package static let anonymousConnections = 16
    /// Bytes that a speaker keeps for a sender that does not read them.
    package static let unreadBytes = 1024 * 1024
    /// Bytes of media that may wait for a format or a flush still on its way on the control connection.
    package static let waitingBytes = 4 * 1024 * 1024
    /// Packets without sound before one that is heard.
    package static let prerollPackets = 64
    /// Bytes of such packets.
    package static let prerollBytes = 256 * 1024
    /// Nanoseconds within which a new connection must say hello. Where large packets get lost on the way it takes
    /// seconds: a hello may go with what follows it.
    package static let helloTimeout: Int64 = 5_000_000_000
    /// Nanoseconds of silence on control after which the other side counts as dead.
    package static let silenceTimeout: Int64 = 10_000_000_000
    /// Nanoseconds without a status after which a sender gives the connection up.
    package static let statusTimeout: Int64 = 5_000_000_000
    /// Nanoseconds between two signs of life from a sender that has nothing else to say.
    package static let pingInterval: Int64 = 1_000_000_000
    /// Group times, in nanoseconds: within 73 years of the epoch, as in the exchange of the clock.
    package static let groupNanoseconds: ClosedRange<Int64> = -(1 << 61)...(1 << 61)
    /// The output delay, in milliseconds.
    package static let outputDelayMs = -5_000.0...5_000.0
    /// How long after its capture live sound is heard, in nanoseconds.
    package static let captureLatency: ClosedRange<Int64> = 1_000_000...10_000_000_000
    /// The duration of a volume ramp, in milliseconds.
    package static let rampMs = 0.0...10_000.0
    /// Bytes of what effects are set to in one request, as text.
    package static let effectsBytes = 24 * 1024
    /// Bytes of all of a room's effects as text: those of one sort may come on top of a whole chain. They are words,
    /// numbers and digits, so they fit a control frame as JSON too.
    package static let chainBytes = 52 * 1024
    /// Bytes of a room's name: a service by mDNS has no longer one.
    package static let nameBytes = 63
}
