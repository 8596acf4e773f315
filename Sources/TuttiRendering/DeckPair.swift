import TuttiPlayback
package import TuttiRealtime

/// The two decks of one opened device: one plays while the decode worker fills the other.
package struct DeckPair: Sendable {
    package let first: Deck
    package let second: Deck
    /// Frames a second of the device.
    package let outputRate: Int

    /// Source frames that a deck holds ahead of what plays: 2.7 s at 48 kHz, 0.7 s at 192 kHz.
    package static let ringFrames = 1 << 17

    /// The same for an overlay: 1.3 s and 0.3 s.
    package static let overlayRingFrames = 1 << 16

    package init(outputRate: Int, ringFrames: Int = Self.ringFrames) {
        self.outputRate = outputRate
        first = Deck(outputRate: outputRate, ringFrames: ringFrames)
        second = Deck(outputRate: outputRate, ringFrames: ringFrames)
    }

    subscript(side: DeckSide) -> Deck { side == .first ? first : second }
}
