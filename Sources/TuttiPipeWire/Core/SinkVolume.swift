package import TuttiRemote

/// Keeps a sink's volume and its group's the same, whoever changes one of them.
///
/// One request to the service is under way at a time. Until it is answered, and a moment longer, what the house tells may
/// be from before: the sink keeps what was set there. So nobody's slider jumps back, and nothing goes round in circles.
package struct SinkVolume: Sendable {
    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// The sink is to show this.
        case show(GroupLevel)
        /// The service is to be asked for this, where it had that before as far as is known.
        case ask(GroupLevel, before: GroupLevel?)
    }

    /// Seconds after an answer in which the house may tell of what was before it.
    package static let settling = 0.5

    /// What the sink shows; nil for nothing yet.
    private var shown: GroupLevel?
    /// What the house has told last.
    private var house: GroupLevel?
    /// What the service is asked for, until it answers.
    private var asked: GroupLevel?
    private var settledAt = -Double.infinity

    /// Nothing is known.
    package init() {}

    /// When something is to be done without anything coming in; nil for never.
    package var deadline: Double? {
        guard asked == nil, settledAt.isFinite else { return nil }
        return settledAt
    }

    /// Somebody has set the sink's volume.
    package mutating func set(_ level: GroupLevel, at now: Double) -> Effect? {
        let wasShown = shown
        shown = level
        guard asked == nil, Self.differ(level, house ?? wasShown) else { return nil }
        asked = level
        return .ask(level, before: house)
    }

    /// The service has answered.
    ///
    /// - Parameter isDone: whether the group has that volume now.
    package mutating func answered(isDone: Bool, at now: Double) -> Effect? {
        guard let answered = asked else { return nil }
        asked = nil
        if isDone { house = answered }
        guard isDone, let shown, Self.differ(shown, answered) else {
            settledAt = isDone ? now + Self.settling : now
            return isDone ? nil : settle(at: now)
        }
        asked = shown
        return .ask(shown, before: house)
    }

    /// The house tells how loud the group is.
    package mutating func told(_ level: GroupLevel, at now: Double) -> Effect? {
        house = level
        return settle(at: now)
    }

    /// Shows what the house has, once it is what was asked for or somebody else's.
    package mutating func settle(at now: Double) -> Effect? {
        guard asked == nil, now >= settledAt else { return nil }
        settledAt = -.infinity
        guard let house, Self.differ(house, shown) else { return nil }
        shown = house
        return .show(house)
    }

    /// Less than that nobody sees.
    private static func differ(_ one: GroupLevel, _ other: GroupLevel?) -> Bool {
        guard let other else { return true }
        return abs(one.volume - other.volume) >= 0.5 || one.isMuted != other.isMuted
    }
}
