import TuttiCore

/// What a member of a group clock does.
enum ClockRole<Address: Hashable & Sendable>: Sendable {
    /// Nothing: it knows no clock.
    case none
    /// It keeps the clock, along this line.
    case leading(ClockEstimate)
    /// It asks its parent.
    case following(parent: Address, ClockFollower)

    /// The clock that is known.
    var timescale: TimescaleID? { line?.timescale ?? follower?.timescale }

    /// The best line; nil before enough exchanges.
    var estimate: ClockEstimate? { line ?? follower?.estimate }

    /// The line that is kept.
    var line: ClockEstimate? { if case .leading(let line) = self { line } else { nil } }

    var parent: Address? { if case .following(let parent, _) = self { parent } else { nil } }

    var follower: ClockFollower? { if case .following(_, let follower) = self { follower } else { nil } }

    /// Changes the follower, if there is one.
    @discardableResult
    mutating func changeFollower<Result>(_ body: (inout ClockFollower) -> Result) -> Result? {
        guard case .following(let parent, var follower) = self else { return nil }
        // What it has is nobody else's meanwhile, and is not copied.
        self = .none
        defer { self = .following(parent: parent, follower) }
        return body(&follower)
    }
}
