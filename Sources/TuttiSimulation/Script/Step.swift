/// One line of a script.
package struct Step: Sendable, Hashable, Codable {
    /// When, in nanoseconds since the beginning.
    package var at: Int64
    /// What happens then.
    package var action: Action

    /// A step.
    package init(at: Int64, _ action: Action) {
        self.at = at
        self.action = action
    }
}
