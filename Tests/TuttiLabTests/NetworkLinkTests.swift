import Testing
import TuttiCards
import TuttiLab

@Suite("The delays of a link")
struct NetworkLinkTests {
    private func delays(_ direction: LinkDirection, seed: UInt64 = 7, count: Int = 20_000, spacing: Int64 = 10_000_000)
        -> [Int64?]
    {
        var link = LinkImpairment(direction, seed: seed, stallSeed: seed + 1)
        return (0..<count).map { index in
            let entering = Int64(index) * spacing
            return link.pass(entering: entering).map { $0.due - entering }
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
                guard let due = link.pass(entering: entering)?.due else { continue }
                #expect(due >= last && due >= entering + direction.base)
                last = due
            }
        }
    }

    @Test("a frame that comes through a slower link later delays nobody who is there before")
    func overtaking() throws {
        var link = LinkImpairment(LinkProfile.direct.downlink, seed: 3, stallSeed: 4)
        #expect(link.pass(entering: 5_000_000_000)?.due == 5_000_000_000)
        #expect(link.pass(entering: 1_000_000)?.due == 1_000_000)
        #expect(link.pass(entering: 6_000_000_000)?.due == 6_000_000_000)
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
            let left = link.pass(entering: entering)?.due
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

    @Test("frames come twice, and are overtaken, as often as the link says")
    func copiesAndOvertaking() throws {
        let profile = try #require(LinkProfile.named("lan+twice=5+overtaken=10"))
        var link = LinkImpairment(profile.uplink, seed: 3, stallSeed: 4)
        let passages = (0..<20_000).compactMap { link.pass(entering: Int64($0) * 100_000) }
        let copies = passages.compactMap { passage in passage.copyDue.map { $0 - passage.due } }
        #expect((850...1_150).contains(copies.count))
        #expect(copies.allSatisfy { (0...3_000_000).contains($0) })
        let held = passages.filter(\.isHeldBack)
        #expect((1_800...2_200).contains(held.count))
        let usual = passages.filter { !$0.isHeldBack }.map(\.due)
        #expect(usual == usual.sorted(), "the others stay in order")
        let overtaken = zip(passages, passages.dropFirst()).count { $0.isHeldBack && !$1.isHeldBack && $0.due > $1.due }
        #expect(overtaken > 1_500)
    }

    @Test("a slow link carries its rate, holds 64 KiB and drops the rest")
    func rate() throws {
        let profile = try #require(LinkProfile.named("direct+rate=600"))
        var link = LinkImpairment(profile.downlink, seed: 3, stallSeed: 4)
        // Twice as much as it carries, for ten seconds.
        let dues = (0..<1_000).map { link.pass(LinkFrame(bytes: 1_500), entering: Int64($0) * 10_000_000)?.due }
        let passed = dues.compactMap(\.self)
        #expect(dues.prefix(80).allSatisfy { $0 != nil }, "the queue takes the beginning")
        #expect((540...560).contains(passed.count), "1500 bytes take 20 ms, and 43 fit the queue")
        #expect(zip(passed, passed.dropFirst()).allSatisfy { $1 - $0 == 20_000_000 })
        // It has caught up a second later.
        let later = link.pass(LinkFrame(bytes: 1_500), entering: 12_000_000_000)
        #expect(later?.due == 12_020_000_000)
    }

    @Test("a queue of milliseconds, and an air that ports share")
    func airs() throws {
        let profile = try #require(LinkProfile.named("direct+rate=8000+queue=20+air=1"))
        #expect(profile.name == "direct+rate=8000+queue=20+air=1")
        let capacity = try #require(profile.uplink.capacity)
        #expect(capacity.bitsPerSecond == 8_000_000 && capacity.queueBytes == 20_000)
        #expect(capacity.air == 1 && !capacity.isFair)
        let other = try #require(LinkProfile.named("direct+rate=8000+queue=20+air=2"))
        var fabric = SwitchFabric(profiles: [profile, profile, other, .direct], seed: 1)
        // A millisecond each, one after the other through one air, whichever port and way.
        #expect(fabric.descend(to: 0, at: 0, LinkFrame(bytes: 1_000))?.due == 1_000_000)
        #expect(fabric.descend(to: 1, at: 0, LinkFrame(bytes: 1_000))?.due == 2_000_000)
        #expect(fabric.ascend(from: 0, at: 0, LinkFrame(bytes: 1_000))?.due == 3_000_000)
        #expect(fabric.descend(to: 2, at: 0, LinkFrame(bytes: 1_000))?.due == 1_000_000, "another air")
        #expect(fabric.descend(to: 3, at: 0, LinkFrame(bytes: 1_000))?.due == 0, "none")
        for _ in 0..<18 { _ = fabric.descend(to: 1, at: 0, LinkFrame(bytes: 1_000)) }
        #expect(fabric.descend(to: 0, at: 0, LinkFrame(bytes: 1_000)) == nil, "20 ms wait")
        for text in ["lan+queue=0", "lan+rate=8000+air=0"] { #expect(LinkProfile.named(text) == nil) }
    }

    @Test("a fair queue lets a thin flow pass, shares the rest, and drops what stands for long")
    func fairQueue() throws {
        let profile = try #require(LinkProfile.named("direct+rate=12000+queue=200+fair=1"))
        var link = LinkImpairment(profile.downlink, seed: 3, stallSeed: 4)
        var (carried, thin, lost) = ([0, 0], [Int64](), 0)
        // Two flows of twice the rate together, a millisecond a frame, and a short frame of a third every 10 ms.
        for index in 0..<4_000 {
            let time = Int64(index) * 500_000
            if let due = link.pass(LinkFrame(bytes: 1_500, flow: UInt64(index % 2)), entering: time)?.due {
                if due < 2_000_000_000 { carried[index % 2] += 1 }
            } else {
                lost += 1
            }
            guard index % 20 == 0, let due = link.pass(LinkFrame(bytes: 92, flow: 7), entering: time)?.due else {
                continue
            }
            thin.append(due - time)
        }
        #expect(thin.count == 200 && thin.allSatisfy { $0 <= 1_100_000 }, "no more than the frame under way")
        #expect(carried.allSatisfy { (900...1_010).contains($0) }, "a half each")
        #expect(lost > 100)
        #expect(LinkProfile.named("lan+rate=8000+fair=2") == nil)
    }

    @Test("somebody's upload fills the way from the host alone, and some routers lose what is marked")
    func uploadAndMarks() throws {
        let profile = try #require(LinkProfile.named("direct+upload=200+marked=100"))
        var up = LinkImpairment(profile.uplink, seed: 3, stallSeed: 4)
        var down = LinkImpairment(profile.downlink, seed: 3, stallSeed: 4)
        let waits = (0..<2_000).compactMap { index in
            let time = Int64(index) * 1_000_000
            return up.pass(LinkFrame(bytes: 92), entering: time).map { $0.due - time }
        }
        #expect(waits.allSatisfy { (100_000_000...200_000_000).contains($0) })
        #expect((1_900..<2_000).contains(waits.count), "a full queue drops")
        #expect(down.pass(LinkFrame(bytes: 92), entering: 0)?.due == 0)
        #expect(down.pass(LinkFrame(bytes: 92, isMarked: true), entering: 0) == nil)
    }

    @Test("flows and classes of service are read off frames")
    func frames() {
        var bytes = [UInt8](repeating: 0, count: 106)
        (bytes[12], bytes[13], bytes[14], bytes[15], bytes[23]) = (0x08, 0x00, 0x45, 0xB8, 17)
        let first = LinkFrame(bytes, length: 106)
        #expect(first.bytes == 92 && first.isMarked)
        bytes[15] = 0
        bytes[37] = 1
        let second = LinkFrame(bytes, length: 106)
        #expect(!second.isMarked && second.flow != first.flow, "another port")
        bytes[60] = 1
        #expect(LinkFrame(bytes, length: 106).flow == second.flow, "other content")
        (bytes[12], bytes[13], bytes[14], bytes[15]) = (0x86, 0xDD, 0x6B, 0x80)
        #expect(LinkFrame(bytes, length: 106).isMarked)
        // Cut off in the midst of all that.
        for length in UInt32(14)...60 { _ = LinkFrame(bytes, length: length) }
    }

    @Test("long packets vanish in a black hole, short ones pass")
    func blackHole() throws {
        let profile = try #require(LinkProfile.named("lan+mtu=1000"))
        var link = LinkImpairment(profile.downlink, seed: 3, stallSeed: 4)
        #expect(link.pass(LinkFrame(bytes: 1_001), entering: 0) == nil)
        #expect(link.pass(LinkFrame(bytes: 1_000), entering: 0) != nil)
    }

    @Test("faults are named behind a profile")
    func names() throws {
        let profile = try #require(LinkProfile.named("wifi+loss=2+rate=600"))
        #expect(profile.name == "wifi+loss=2+rate=600")
        #expect(profile.uplink.loss == 0.02 && profile.uplink.jitter == LinkProfile.wifi.uplink.jitter)
        let capacity = try #require(profile.downlink.capacity)
        #expect(capacity.bitsPerSecond == 600_000 && capacity.queueBytes == 65_536)
        #expect(capacity.air == nil && !capacity.isFair)
        for text in ["lan+", "lan+loss", "lan+loss=", "lan+loss=101", "lan+snail=1", "lan+mtu=20", "+loss=2", ""] {
            #expect(LinkProfile.named(text) == nil)
        }
    }
}
