package import TuttiSchema
import TuttiSender

/// Something that is to happen later, as it is stored.
package struct ScheduleRecord: Sendable, Equatable, Codable {
    /// When, as `Schedule` reads it.
    package var when: String
    /// When the schedule was made, in seconds since 1970 UTC.
    package var made: Int64
    /// Everything up to here has happened, or was missed.
    package var done: Int64
    /// The group's name.
    package var group: String
    /// What is to be played; nil when what plays in the group then is to end.
    package var order: PlayOrder?
    /// When it should have happened last, and did not.
    package var missed: Int64?
    /// Why it will not be heard, or was not, or not in all rooms.
    package var problem: String?

    /// A schedule.
    package init(when: String, made: Int64, group: String, order: PlayOrder?) {
        self.when = when
        self.made = made
        done = made
        self.group = group
        self.order = order
    }
}
