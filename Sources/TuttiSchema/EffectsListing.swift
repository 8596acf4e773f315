/// How a room's effects stand. The names are those of `docs/json.md`.
package struct EffectsListing: Sendable, Equatable, Codable {
    /// What the room is called.
    package var room: String
    /// The chain, a line for each effect; none when sound plays as it is.
    package var chain: [String]
    /// Milliseconds by which the effects are late, which the speaker makes up for.
    package var latencyMs: Double
    /// What share of a processor of the speaker they take; 1 is all of one.
    package var load: Double

    package init(room: String, chain: [String], latencyMs: Double, load: Double) {
        (self.room, self.chain, self.latencyMs, self.load) = (room, chain, latencyMs, load)
    }
}
