/// What follows the end of a queue, or of a piece.
public enum RepeatMode: String, Sendable, Codable, CaseIterable {
    /// Each entry once.
    case off
    /// The first entry follows the last.
    case all
    /// The same entry again and again.
    case one
    /// Nothing: it stops after each entry.
    case single
}
