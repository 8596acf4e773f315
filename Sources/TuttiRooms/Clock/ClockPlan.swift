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
    /// Whether all are going to be told who shares the clock.
    var isAnnouncementDue = false

    /// The group's clock is another one from now on.
    ///
    /// - Parameter leader: the number of the room that is asked first.
    mutating func join(_ timescale: TimescaleID, origin: String, leader: Int) {
        (self.timescale, self.origin, self.leader) = (timescale, origin, leader)
        (standIns, announced) = ([], nil)
    }

    /// What holds whenever rooms are told of the plan.
    func check() {
        precondition(leader.map { !standIns.contains($0) } ?? true, "a room stands in for itself")
    }
}
