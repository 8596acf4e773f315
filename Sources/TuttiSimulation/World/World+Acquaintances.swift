import TuttiHost
import TuttiTiming

/// Who knows of whom.
extension World {
    /// Which members of clocks know where others are now; nil where no clock has two leaders.
    func acquaintances(in house: HouseObservation) -> [Acquaintance]? {
        let leaders = (house.rooms.compactMap(\.clock) + house.senders.flatMap(\.clocks)).filter { $0.leader == nil }
        guard Set(leaders.map(\.timescale)).count < leaders.count else { return nil }
        let members = runningMembers
        return members.flatMap { member in
            member.clock.acquaintances.compactMap { address in
                let place = network.place(of: address.host)
                let other = members.first { $0.host == place && $0.clock.port == address.port }
                guard let other, let known = other.clock.standing?.timescale,
                    known == member.clock.standing?.timescale, let here = machine(member.host),
                    let there = machine(other.host)
                else { return nil }
                return Acquaintance(machine: here, other: there)
            }
        }
    }

    private var runningMembers: [(host: Int, clock: GroupClock)] {
        let rooms = speakers.filter(\.isRunning).compactMap { speaker in
            speaker.clock.map { (host: speaker.host.number, clock: $0) }
        }
        return rooms
            + senders.filter(\.isRunning).flatMap { sender in
                sender.clocks.filter { !$0.isStopped }.map { (host: sender.host.number, clock: $0) }
            }
    }
}
