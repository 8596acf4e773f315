import Testing
import TuttiCore
import TuttiHost
import TuttiSpeaker

/// Speakers that see one another, each of which decides by itself.
@Suite struct ClockCircleTests {
    /// A speaker on paper: what it says of itself is all that the others see.
    private struct Member {
        var neighbour: ClockNeighbour
        var known: Set<SocketAddress> = []
        var asks: SocketAddress?
    }

    private struct House {
        var members: [Member] = []

        init(_ count: Int, wireless: Set<Int> = []) throws {
            for number in 0..<count {
                let address = try #require(
                    SocketAddress(numericHost: "10.0.\(number / 200).\(number % 200 + 1)", port: 7_700))
                let digits = String(number)
                let id = "speaker-" + String(repeating: "0", count: 3 - digits.count) + digits
                members.append(
                    Member(
                        neighbour: ClockNeighbour(
                            id: id, address: address, isWireless: wireless.contains(number), part: nil)))
            }
        }

        /// Each looks once, one after the other, and does what it decides.
        mutating func look(waited: Int64 = 0) {
            for index in members.indices {
                let own = members[index].neighbour
                let others = members.indices.filter { $0 != index }.map { members[$0].neighbour }
                let decision = ClockCircle(id: own.id, isWireless: own.isWireless).decision(
                    part: own.part, known: members[index].known, neighbours: others, waited: waited)
                switch decision {
                case .stay: break
                case .lead:
                    let timescale = TimescaleID(rawValue: 1_000 - UInt64(index))
                    members[index].neighbour.part = .init(timescale: timescale, origin: own.id, isLeading: true)
                case .join(let order):
                    let isLeading = own.part?.timescale == order.timescale && own.part?.isLeading == true
                    members[index].neighbour.part = .init(
                        timescale: order.timescale, origin: order.origin, isLeading: isLeading)
                    members[index].known.formUnion((order.parents + order.behind).map(\.address))
                    if !isLeading { members[index].asks = order.parents.first?.address }
                }
            }
        }

        var clocks: Set<TimescaleID> { Set(members.compactMap(\.neighbour.part?.timescale)) }
        var leaders: [String] { members.filter { $0.neighbour.part?.isLeading == true }.map(\.neighbour.id) }
    }

    @Test("the first of those that know no clock begins one, and all others join it")
    func begin() throws {
        var house = try House(5)
        for _ in 0..<3 { house.look() }
        #expect(house.clocks.count == 1)
        #expect(house.leaders == ["speaker-000"])
        #expect(house.members.allSatisfy { $0.neighbour.part?.origin == "speaker-000" })
    }

    @Test("one that sees nobody begins no clock")
    func alone() throws {
        var house = try House(1)
        house.look(waited: .max)
        #expect(house.clocks.isEmpty)
    }

    @Test("a wired one leads where there is any")
    func wired() throws {
        var house = try House(4, wireless: [0, 1, 3])
        for _ in 0..<3 { house.look() }
        #expect(house.leaders == ["speaker-002"])
        #expect(house.clocks.count == 1)
    }

    @Test("where the first does not begin one the second does, some seconds later")
    func courtesy() {
        let first = ClockNeighbour(
            id: "a", address: SocketAddress(numericHost: "10.0.0.1", port: 7_700)!, isWireless: false, part: nil)
        let second = ClockCircle(id: "b", isWireless: false)
        #expect(second.decision(part: nil, known: [], neighbours: [first], waited: 0) == .stay)
        #expect(
            second.decision(part: nil, known: [], neighbours: [first], waited: ClockCircle.courtesy) == .lead)
    }

    @Test("of two clocks that meet the smaller circle joins the larger, and equal ones the same")
    func meeting() throws {
        for sizes in [(2, 3), (3, 2), (2, 2)] {
            var house = try House(sizes.0 + sizes.1)
            for index in house.members.indices {
                let isOfFirst = index < sizes.0
                house.members[index].neighbour.part = .init(
                    timescale: TimescaleID(rawValue: isOfFirst ? 7 : 9), origin: isOfFirst ? "x" : "y",
                    isLeading: index == 0 || index == sizes.0)
            }
            for _ in 0..<3 { house.look() }
            #expect(house.clocks == [TimescaleID(rawValue: sizes.0 >= sizes.1 ? 7 : 9)], "\(sizes)")
        }
    }

    @Test("in a large house nobody is asked by many, nobody is far from the leader, and no order is long")
    func large() throws {
        var house = try House(200)
        for _ in 0..<4 { house.look() }
        #expect(house.clocks.count == 1)
        let asked = Dictionary(grouping: house.members.compactMap(\.asks)) { $0 }.mapValues(\.count)
        // Those that came while there were few ask the leader; who comes later finds another place.
        #expect(asked.values.max() ?? 0 <= 2 * ClockCircle.names)
        #expect(house.members.allSatisfy { $0.known.count <= 3 * ClockCircle.names })
        var steps: [SocketAddress: Int] = [:]
        for member in house.members {
            var (place, count) = (member, 0)
            while let parent = place.asks, count < 10 {
                place = try #require(house.members.first { $0.neighbour.address == parent })
                count += 1
            }
            steps[member.neighbour.address] = count
        }
        #expect(steps.values.max() ?? 0 <= 3)
    }
}
