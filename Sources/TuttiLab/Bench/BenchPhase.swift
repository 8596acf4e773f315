/// A part of a run for which figures are given, counted from the first sound that two rooms have in common.
package enum BenchPhase: String, Sendable, Codable, CaseIterable {
    case whole = "whole run"
    case first100ms = "first 100 ms"
    case to10s = "0 – 10 s"
    case to30s = "10 – 30 s"
    case after30s = "after 30 s"
    case after60s = "after 60 s"

    /// Whether a window belongs to it that begins this many seconds after the pair's first.
    package func contains(_ seconds: Double) -> Bool {
        switch self {
        case .whole: true
        // The first window; the next one begins 100 ms later.
        case .first100ms: seconds < 0.05
        case .to10s: seconds < 10
        case .to30s: seconds >= 10 && seconds < 30
        case .after30s: seconds >= 30
        case .after60s: seconds >= 60
        }
    }
}
