/// What one check of this host found: a line of `tutti doctor`. The names of the fields are those of `docs/json.md`.
package struct HealthFinding: Sendable, Equatable, Codable {
    /// How bad it is.
    package enum Level: String, Sendable, Codable, CaseIterable {
        /// As it should be.
        case ok
        /// Cannot be found out from here.
        case unknown
        /// Costs accuracy or comfort.
        case warning
        /// Breaks the sound or its timing.
        case problem
    }

    /// What was looked at, in words that do not change.
    package var check: String
    /// How bad it is.
    package var level: Level
    /// What was found.
    package var message: String
    /// What to do about it.
    package var advice: String?

    /// A finding.
    package init(_ check: String, _ level: Level, _ message: String, advice: String? = nil) {
        self.check = check
        self.level = level
        self.message = message
        self.advice = advice
    }
}
