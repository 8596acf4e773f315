import Testing
import TuttiLab

@Suite("The delays of a link")
struct NetworkLinkTests {
    private func delays(_ direction: LinkDirection, seed: UInt64 = 7, count: Int = 20_000, spacing: Int64 = 10_000_000)
        -> [Int64?]
    {
        var link = LinkImpairment(direction, seed: seed, stallSeed: seed + 1)
        return (0..<count).map { index in
            let entering = Int64(index) * spacing
            return link.due(entering: entering).map { $0 - entering }
        }
    }

    @Test("lan is 80 µs and an exponential 15 µs")
    func lanDistribution() throws {
        let found = delays(LinkProfile.lan.uplink).compactMap(\.self)
        #expect(found.count == 20_000)
        let least = try #require(found.min())
        #expect((80_000...80_100).contains(least))
        let mean = Double(found.reduce(0, +)) / Double(found.count)
        #expect(abs(mean - 95_000) < 500)
        // An exponential exceeds three times its mean in 5 % of the cases.
        let tail = Double(found.filter { $0 > 125_000 }.count) / Double(found.count)
        #expect(abs(tail - 0.0498) < 0.008)
    }

    @Test("frames leave in the order in which they entered", arguments: LinkProfile.all)
    func order(profile: LinkProfile) {
        for direction in [profile.uplink, profile.downlink] {
            var link = LinkImpairment(direction, seed: 3, stallSeed: 4)
            var last = Int64.min
            for index in 0..<50_000 {
                let entering = Int64(index) * 40_000
                guard let due = link.due(entering: entering) else { continue }
                #expect(due >= last && due >= entering + direction.base)
                last = due
            }
        }
    }

    @Test("losses are as many as the profile says")
    func losses() {
        #expect(delays(LinkProfile.lan.uplink).allSatisfy { $0 != nil })
        #expect(delays(LinkProfile.cut.uplink).allSatisfy { $0 == nil })
        let lost = delays(LinkProfile.lossy.uplink).filter { $0 == nil }.count
        #expect((320...480).contains(lost))
    }

    @Test("one stall of the right length in every period")
    func stalls() throws {
        let direction = LinkDirection(
            base: 0, stall: .init(period: 2_000_000_000, shortest: 40_000_000, longest: 250_000_000))
        var link = LinkImpairment(direction, seed: 1, stallSeed: 2)
        var lengths: [Int64] = []
        var lastEnd = Int64.min
        for step in 0..<200_000 {
            let entering = Int64(step) * 1_000_000
            let left = link.due(entering: entering)
            let due = try #require(left)
            if due > entering, due != lastEnd {
                lengths.append(due - entering)
                lastEnd = due
            }
        }
        #expect(lengths.count == 100)
        #expect(lengths.allSatisfy { (39_000_000...250_000_000).contains($0) })
        #expect(Set(lengths).count > 90)
    }

    @Test("the seed decides everything")
    func seeds() {
        let direction = LinkProfile.badWifi.uplink
        #expect(delays(direction, seed: 5) == delays(direction, seed: 5))
        #expect(delays(direction, seed: 5) != delays(direction, seed: 6))
    }

    @Test("asym is slower towards the host")
    func asymmetry() {
        #expect(LinkProfile.asymmetric.uplink.base == 200_000)
        #expect(LinkProfile.asymmetric.downlink.base == 2_000_000)
    }
}
