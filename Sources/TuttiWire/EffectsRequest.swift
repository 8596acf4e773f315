package import TuttiChain

/// What is asked of a room's effects. They are the room's, whoever plays there, so this comes with a look.
package enum EffectsRequest: Sendable, Equatable {
    /// What is set?
    case show
    /// Set this. Impulse responses are named by their content; the answer names those that the speaker lacks.
    case edit(EffectEdit)
    /// Bytes of an impulse response, which follow on the bytes before.
    case impulse(ImpulsePart)
}

/// Some bytes of an impulse response on its way to a speaker.
package struct ImpulsePart: Sendable, Equatable {
    /// The most bytes of one part; with base64 and the rest it fits a control frame.
    package static let maximumBytes = 45_000
    /// The most bytes of a whole one.
    package static let maximumSize = 1 << 22

    /// The SHA-256 of all its bytes, 64 hexadecimal digits.
    package var id: String
    /// How many bytes it has, 1 … `maximumSize`.
    package var size: Int
    /// How many come before these.
    package var offset: Int
    /// The bytes.
    package var data: [UInt8]

    package init(id: String, size: Int, offset: Int, data: [UInt8]) {
        (self.id, self.size, self.offset, self.data) = (id, size, offset, data)
    }
}

/// How a room's effects stand: the answer to an `EffectsRequest`.
package struct EffectsReport: Sendable, Equatable {
    /// The chain as text.
    package var chain = ""
    /// Milliseconds by which its sound is late, which the speaker makes up for.
    package var latencyMs = 0.0
    /// What share of a processor of the speaker it takes; 1 is all of one.
    package var load = 0.0
    /// Impulse responses that the speaker lacks.
    package var missing: [String] = []
    /// Why the request was not carried out, or what is set is not heard; nil when all is well.
    package var problem: String?

    package init() {}
}
