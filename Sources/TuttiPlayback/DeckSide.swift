/// One of the two decks of an output: one plays while the other is filled.
package enum DeckSide: Sendable, Hashable, CaseIterable {
    case first
    case second
}
