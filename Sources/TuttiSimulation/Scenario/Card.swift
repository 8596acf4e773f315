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

    /// A card.
    package init(ppm: Double = 0, kind: Kind = .exact) {
        self.ppm = ppm
        self.kind = kind
    }
}
