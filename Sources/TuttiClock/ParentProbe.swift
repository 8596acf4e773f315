import TuttiCore

/// One request to a parent further up, to see whether it answers again.
struct ParentProbe: Sendable {
    /// Which of the parents.
    let index: Int
    /// A follower that asks once.
    var follower: ClockFollower
}
