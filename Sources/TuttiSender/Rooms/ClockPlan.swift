import TuttiCore

/// The clock of a programme: which one, and who leads it.
struct ClockPlan: Equatable {
    /// The clock.
    var timescale: TimescaleID
    /// Who began it.
    var origin: String
    /// The number of the room that leads; nil while this sender does.
    var leader: Int?
    /// The numbers of the rooms that stand in for the leader, best first.
    var standIns: [Int] = []
}
