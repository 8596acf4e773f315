package import TuttiCore

/// The first message on each connection: who connects, and what for.
package struct Hello: Sendable, Equatable {
    /// What a connection carries.
    package enum Role: String, Sendable {
        /// Control messages, both ways.
        case control
        /// Media packets, from the sender to the speaker.
        case media
        /// Nothing: whoever asks is told who the speaker is and how it does, and takes no slot.
        case look
    }

    /// What this connection is for.
    package var role: Role
    /// The protocol version of the sender.
    package var version: Int
    /// Names the sender for as long as it is installed: the same one may take its own place.
    package var senderID: String
    /// The sender's name, for people.
    package var senderName: String
    /// Names the programme: a speaker that still holds audio of this stream keeps it. Control only.
    package var stream: UInt32?
    /// What the sender is to the room. Control only.
    package var policy: RouteSharingPolicy
    /// Whether a person has just asked for this room, which is then taken from any other sender; else the sender comes
    /// by itself. Control only.
    package var isClaim: Bool
    /// The token from `welcome`, which ties a media connection to its control connection. Media only.
    package var session: String?
    /// What shows that the sender knows the token of a speaker that is nobody's yet. Control only.
    package var proof: String?
    /// The order of a clock, for a speaker that knows none and that nobody plays on. Look only.
    package var clock: ClockAnnouncement?
    /// What trust in the household rests on, for a speaker of it. Look only.
    package var trust: TrustHandover?
    /// What is asked of the room's effects. Look only.
    package var effects: EffectsRequest?

    /// A hello.
    package init(
        role: Role, version: Int = WireLimits.version, senderID: String, senderName: String, stream: UInt32? = nil,
        policy: RouteSharingPolicy = .longForm, isClaim: Bool = false, session: String? = nil,
        proof: String? = nil, clock: ClockAnnouncement? = nil, trust: TrustHandover? = nil,
        effects: EffectsRequest? = nil
    ) {
        self.role = role
        self.version = version
        self.senderID = senderID
        self.senderName = senderName
        self.stream = stream
        self.policy = policy
        self.isClaim = isClaim
        self.session = session
        self.proof = proof
        self.clock = clock
        self.trust = trust
        self.effects = effects
    }
}
