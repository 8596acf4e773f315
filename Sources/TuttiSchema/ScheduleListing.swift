/// What is to be played later, as `tutti at --json` prints it. The names are those of `docs/json.md`.
package struct ScheduleListing: Sendable, Equatable, Codable {
    /// Its number, never used again.
    package var number: Int
    /// When, in the words that were used.
    package var when: String
    /// The next time, in seconds since 1970 UTC; nil when there is none.
    package var next: Double?
    /// What the group will be called.
    package var group: String
    /// What, where and how.
    package var order: PlayOrder
    /// When it should have been heard last and was not, in seconds since 1970 UTC.
    package var missed: Double?
    /// Why it will not be heard, or was not, or not in all rooms; nil when nothing is wrong.
    package var problem: String?

    /// A listing.
    package init(
        number: Int, when: String, next: Double?, group: String, order: PlayOrder, missed: Double? = nil,
        problem: String? = nil
    ) {
        self.number = number
        self.when = when
        self.next = next
        self.group = group
        self.order = order
        self.missed = missed
        self.problem = problem
    }
}
