import TuttiCore

/// The clock of a timeline: which one, and who leads it.
struct ClockPlan: Equatable {
    /// The clock.
    var timescale: TimescaleID
    /// Who began it.
    var origin: String
    /// The number of the room that is asked first; nil while this sender is.
    var leader: Int?
    /// The numbers of the rooms that stand in for the leader, best first.
    var standIns: [Int] = []
    /// The rooms and their places as all were told of them last.
    var announced: ClockOrder?
}
