import TuttiClock
import TuttiCore

/// Members of one clock on virtual hosts, each behind a link of its own, in true time; member 0 is at the switch
/// itself.
struct MemberSimulation {
    static let timescale = TimescaleID(rawValue: 0xBEE)

    /// A datagram on its way.
    private struct Flight {
        var time: Double
        var from: Int
        var to: Int
        var bytes: [UInt8]
    }

    private(set) var members: [ClockMember<Int>] = []
    private var hosts: [VirtualOscillator] = []
    private var links: [VirtualLink] = []
    private var generator: SeededGenerator
    private var flights: [Flight] = []
    private var keys: UInt32 = 0
    /// Members that neither hear nor say anything.
    var silent: Set<Int> = []
    /// Pairs that cannot reach one another.
    var cut: Set<[Int]> = []
    /// Where members are that have moved: others are at their index.
    var moved: [Int: Int] = [:]
    private(set) var time = 0.0
    /// What the clocks of hosts have not counted while they slept, nanoseconds.
    private var offsets: [Int: Int64] = [:]

    init(_ count: Int, _ profile: NetworkProfile, seed: UInt64, seconds: Int) {
        generator = SeededGenerator(seed)
        for index in 0..<count {
            let ppm = 80 * (generator.uniform() - 0.5)
            hosts.append(
                VirtualOscillator(
                    offset: Int64(index + 1) * 1_000_000_000_000, ppm: ppm, wander: 0, seconds: seconds,
                    generator: &generator))
            links.append(VirtualLink(profile, generator: &generator))
            members.append(ClockMember(seed: generator.next()))
        }
    }

    /// Gives an order to a member at this instant.
    mutating func order(_ index: Int, _ body: (inout ClockMember<Int>, HostTime) -> Void) {
        let now = hostTime(index, time)
        body(&members[index], now)
    }

    /// Member 0 begins a clock, and all are told of each other.
    mutating func begin() {
        lead(0)
        announce(Array(members.indices))
    }

    /// Tells those of an order about it, and where all of them are by now.
    mutating func announce(_ members: [Int], to some: Set<Int>? = nil) {
        let addresses = members.map { moved[$0] ?? $0 }
        for (place, index) in members.enumerated() where some?.contains(index) ?? true {
            order(index) { member, now in
                member.follow(
                    Self.timescale, parents: Array(addresses[..<place]), behind: Array(addresses[(place + 1)...]),
                    now: now)
            }
        }
    }

    /// A member begins a clock.
    mutating func lead(_ index: Int) {
        order(index) { member, now in
            member.lead(
                ClockEstimate(
                    timescale: Self.timescale, referenceHost: now, offset: 1_000_000, drift: 0, offsetSigma: 0,
                    driftSigma: 0))
        }
    }

    /// The hosts of these members sleep and wake.
    mutating func sleep(_ indices: [Int], seconds: Double) {
        let asleep = indices.map { ($0, hostTime($0, time)) }
        silent.formUnion(indices)
        run(seconds: seconds)
        for (index, then) in asleep {
            let slept = hostTime(index, time).nanoseconds(since: then)
            offsets[index, default: 0] += slept
            order(index) { member, now in member.slept(for: slept, now: now) }
        }
        silent.subtract(indices)
    }

    /// The process of a member is started anew.
    mutating func restart(_ index: Int) { members[index] = ClockMember(seed: generator.next()) }

    mutating func run(
        seconds: Double, every interval: Double = 0.1, _ look: (borrowing MemberSimulation) -> Void = { _ in }
    ) {
        let end = time + seconds * 1e9
        var nextLook = time + interval * 1e9
        while time < end {
            let dues = members.indices.filter { !silent.contains($0) }.compactMap { index in
                members[index].deadline.map {
                    (max(hosts[index].trueTime(of: $0.nanoseconds + offsets[index, default: 0]), time) + 1, index)
                }
            }
            let due = dues.min { $0.0 < $1.0 }
            let arrival = flights.first?.time ?? .infinity
            let next = min(due?.0 ?? .infinity, arrival, nextLook, end)
            time = next
            if next == nextLook {
                look(self)
                nextLook += interval * 1e9
            } else if next == arrival {
                deliver(flights.removeFirst())
            } else if let due, next == due.0 {
                poll(due.1)
            }
        }
    }

    private mutating func poll(_ index: Int) {
        while let datagram = members[index].poll(now: hostTime(index, time)) { send(datagram, from: index, at: time) }
    }

    private mutating func deliver(_ flight: Flight) {
        guard !silent.contains(flight.to) else { return }
        let reading = flight.time + 20_000
        let reply = members[flight.to].received(
            flight.bytes, from: moved[flight.from] ?? flight.from, at: hostTime(flight.to, flight.time),
            now: hostTime(flight.to, reading))
        if let reply { send(reply, from: flight.to, at: reading) }
    }

    private mutating func send(_ datagram: ClockMember<Int>.Datagram, from index: Int, at time: Double) {
        keys &+= 1
        members[index].sent(datagram, key: keys, userTime: hostTime(index, time + 5_000))
        let left = time + 12_000
        members[index].transmitted(key: keys, at: hostTime(index, left))
        guard let to = members.indices.first(where: { (moved[$0] ?? $0) == datagram.address }) else { return }
        guard !silent.contains(to), !cut.contains([index, to]), !cut.contains([to, index]) else { return }
        var arrival: Double? = left
        if index != 0 { arrival = arrival.flatMap { links[index].arrival(of: $0, back: false, generator: &generator) } }
        if to != 0 { arrival = arrival.flatMap { links[to].arrival(of: $0, back: true, generator: &generator) } }
        guard let arrival else { return }
        let flight = Flight(time: arrival, from: index, to: to, bytes: datagram.bytes)
        flights.insert(flight, at: flights.firstIndex { $0.time > arrival } ?? flights.endIndex)
    }

    func hostTime(_ index: Int, _ time: Double) -> HostTime {
        HostTime(nanoseconds: hosts[index].reading(at: time).whole - offsets[index, default: 0])
    }

    /// How often a member has asked its parents.
    func requests(_ index: Int) -> Int { members[index].statistics(now: hostTime(index, time)).requests }

    /// Group time now as a member knows it, nanoseconds beyond true time; nil without a line.
    func groupTime(_ index: Int) -> Double? {
        let reading = hosts[index].reading(at: time)
        return members[index].estimate?.groupNanoseconds(
            atHostNanoseconds: reading.whole - offsets[index, default: 0], fraction: reading.fraction,
            since: Int64(time))
    }

    /// The widest difference between two of these members now, nanoseconds.
    func spread(_ indices: [Int]) -> Double {
        let times = indices.compactMap { groupTime($0) }
        guard times.count == indices.count, let low = times.min(), let high = times.max() else { return .infinity }
        return high - low
    }
}
