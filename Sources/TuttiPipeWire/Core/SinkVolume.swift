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
    /// Seconds after a sink's appearance in which the session manager gives it the volume that it had when it was there
    /// last, maybe months ago. It is not heard of in the rooms.
    package static let restoring = 2.0

    /// Seconds between two requests while a slider is drawn: speakers in whose rooms nothing plays are connected to for each,
    /// and do not take as many connections as anybody likes.
    package var spacing = 0.5

    /// What the sink shows; nil for nothing yet.
    private var shown: GroupLevel?
    /// What the house has told last.
    private var house: GroupLevel?
    /// What the service is asked for, until it answers.
    private var asked: GroupLevel?
    /// Whether the service is to be asked for what is shown, as soon as it may be.
    private var isPending = false
    private var freeAt = -Double.infinity
    private var settledAt: Double?
    private let restoredAt: Double

    /// The volume of a sink that appears at an instant.
    package init(at now: Double) { restoredAt = now + Self.restoring }

    /// When `settle` is to be called though nothing comes in; nil for never.
    package var deadline: Double? {
        guard asked == nil else { return nil }
        return isPending ? freeAt : settledAt
    }

    /// Somebody has set the sink's volume.
    package mutating func set(_ level: GroupLevel, at now: Double) -> Effect? {
        shown = level
        // Before the house has told its volume, nobody can have meant to change it.
        guard let house else { return nil }
        guard now >= restoredAt else {
            shown = house
            return Self.differ(level, house) ? .show(house) : nil
        }
        isPending = Self.differ(level, asked ?? house)
        return settle(at: now)
    }

    /// The service has answered.
    ///
    /// - Parameter isDone: whether the group has that volume now.
    package mutating func answered(isDone: Bool, at now: Double) -> Effect? {
        guard let answered = asked else { return nil }
        (asked, freeAt) = (nil, now + spacing)
        if isDone { house = answered }
        settledAt = isDone ? now + Self.settling : now
        return settle(at: now)
    }

    /// The house tells how loud the group is.
    package mutating func told(_ level: GroupLevel, at now: Double) -> Effect? {
        house = level
        return settle(at: now)
    }

    /// Asks for what was set, once it may; shows what the house has, once it is what was asked for or somebody else's.
    package mutating func settle(at now: Double) -> Effect? {
        guard asked == nil else { return nil }
        if isPending {
            guard let shown, now >= freeAt else { return nil }
            (isPending, asked, settledAt) = (false, shown, nil)
            return .ask(shown, before: house)
        }
        if let settledAt, now < settledAt { return nil }
        settledAt = nil
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
