extension ClockObservation {
    /// Whether two have their time from the same one, however sure they are.
    func hasParent(of other: ClockObservation) -> Bool {
        timescale == other.timescale && leader == other.leader && leaderPort == other.leaderPort
    }
}

/// The group clocks of the machines of a house, and whom each has its time from.
struct HouseClocks {
    /// A member of a group clock.
    struct Member: Hashable {
        var machine: Machine
        var port: UInt16
    }

    typealias Clock = (member: Member, clock: ClockObservation)

    /// In the order of machines.
    private(set) var all: [Clock] = []
    /// Where each member is there.
    private var places: [Member: Int] = [:]

    init() {}

    /// Those of the machines that run.
    init(_ house: HouseObservation) {
        for sender in house.senders where sender.isRunning { add(sender.clocks, of: .sender(sender.name)) }
        for room in house.rooms where room.isRunning { add([room.clock].compactMap(\.self), of: .speaker(room.name)) }
    }

    mutating func add(_ clocks: [ClockObservation], of machine: Machine) {
        for clock in clocks {
            let member = Member(machine: machine, port: clock.port)
            if places[member] == nil { places[member] = all.count }
            all.append((member, clock))
        }
    }

    /// Whom a member has its time from, one behind the other, up to the leader, to one who knows no clock, or round a
    /// circle.
    func way(from clock: ClockObservation) -> [(machine: Machine, clock: ClockObservation?)] {
        var way: [(machine: Machine, clock: ClockObservation?)] = []
        var place: ClockObservation? = clock
        while let here = place, let next = here.leader, way.count < all.count {
            let member = Member(machine: next, port: here.leaderPort)
            place = places[member].map { all[$0].clock }
            way.append((next, place))
        }
        return way
    }

    /// Who leads those who have their time from where a member has it; nil for the leader itself.
    func leader(above clock: ClockObservation) -> Machine? { way(from: clock).last?.machine }
}
