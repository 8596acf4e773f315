/// What is made equally loud, as players of ReplayGain call it.
public enum LoudnessNormalization: String, Sendable, Codable, CaseIterable {
    /// Nothing: every track plays as it was made.
    case off
    /// Each track.
    case track
    /// Each album: its tracks keep their differences.
    case album
}
