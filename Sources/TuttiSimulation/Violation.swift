/// Where a run broke an invariant.
package struct Violation: Sendable, Equatable, Codable {
    /// The invariant's name, as in the documentation.
    package var invariant: String
    /// When it was seen, in nanoseconds since the beginning.
    package var at: Int64
    /// Whose fault shows; nil for the house as a whole.
    package var machine: Machine?
    /// What was seen and what is allowed, in one line.
    package var message: String
}
