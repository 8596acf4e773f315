package import TuttiAssets
package import TuttiChain
package import TuttiEffects

/// What is rendered, and through what.
package struct ExportSource: Sendable {
    /// Files, addresses or standard input.
    package var inputs: [AssetInput]
    /// Whether all inputs sound at once, in place of one after the other.
    package var isMix: Bool
    /// What their sound goes through.
    package var chain: EffectChain
    /// Impulse responses by the names that the chain's convolutions have.
    package var impulses: [String: ImpulseResponse]
    /// Frames a second of the graph and of the output.
    package var sampleRate: Int
    /// The most seconds of reverberation and echoes after the end; nil for until they are below −100 dB, but no more
    /// than `usualTail`.
    package var tail: Double?

    /// Seconds that echoes go on after the end, at most, where nobody says how long.
    package static let usualTail = 30.0

    package init(
        inputs: [AssetInput], isMix: Bool = false, chain: EffectChain = EffectChain(),
        impulses: [String: ImpulseResponse] = [:], sampleRate: Int, tail: Double? = nil
    ) {
        self.inputs = inputs
        self.isMix = isMix
        self.chain = chain
        self.impulses = impulses
        self.sampleRate = sampleRate
        self.tail = tail
    }
}
