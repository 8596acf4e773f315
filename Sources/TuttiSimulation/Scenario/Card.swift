package import TuttiCards

/// The sound card of a room.
package struct Card: Sendable, Equatable, Codable {
    /// How the card tells where it is.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// To the frame.
        case exact
        /// In steps of a millisecond, as USB's do.
        case step1ms
        /// To the frame, but it wakes its program late now and then.
        case late
    }

    /// Its oscillator against true time, in ppm.
    package var ppm: Double
    package var kind: Kind
    /// What sets it apart from others, if it is one of the population.
    package var traits: CardTraits?

    /// Frames by which its pointer moves at a time.
    package var step: Int { traits?.step ?? (kind == .step1ms ? 48 : 1) }

    /// A card.
    package init(ppm: Double = 0, kind: Kind = .exact) {
        self.ppm = ppm
        self.kind = kind
    }

    /// The card of a seed, from the population.
    package init(seed: UInt64) {
        var traits = CardTraits.drawn(seed: seed)
        // Nobody can see what the rest would be, and no owner is there to set it as the output delay.
        traits.delaySurplus = traits.lead
        self.init(ppm: traits.ppm)
        self.traits = traits
    }
}
