import Testing
import TuttiLab

@Suite("The switch without sockets")
struct NetworkSwitchTests {
    private static let broadcast: UInt64 = 0xffff_ffff_ffff
    private static let multicast: UInt64 = 0x0100_5e00_00fb
    private static let first: UInt64 = 0x0200_0000_0001
    private static let second: UInt64 = 0x0200_0000_0002

    private func fabric(_ profiles: [LinkProfile] = [.direct, .lan, .wifi, .lan]) -> SwitchFabric {
        SwitchFabric(profiles: profiles, seed: 1)
    }

    @Test("unknown and group addresses go to all other ports, learned ones to one")
    func learning() {
        var fabric = fabric()
        #expect(fabric.route(destination: Self.second, source: Self.first, from: 0) == 0b1110)
        #expect(fabric.route(destination: Self.first, source: Self.second, from: 2) == 0b0001)
        #expect(fabric.route(destination: Self.second, source: Self.first, from: 0) == 0b0100)
        #expect(fabric.route(destination: Self.broadcast, source: Self.first, from: 0) == 0b1110)
        #expect(fabric.route(destination: Self.multicast, source: Self.second, from: 2) == 0b1011)
    }

    @Test("a station that moved is found at its new port, and a frame never goes back where it came from")
    func moving() {
        var fabric = fabric()
        _ = fabric.route(destination: Self.broadcast, source: Self.first, from: 0)
        _ = fabric.route(destination: Self.broadcast, source: Self.first, from: 3)
        #expect(fabric.route(destination: Self.first, source: Self.second, from: 1) == 0b1000)
        #expect(fabric.route(destination: Self.first, source: Self.second, from: 3) == 0)
    }

    @Test("a group address is never learned as a station")
    func forgedSource() {
        var fabric = fabric()
        _ = fabric.route(destination: Self.first, source: Self.broadcast, from: 1)
        #expect(fabric.route(destination: Self.broadcast, source: Self.first, from: 0) == 0b1110)
    }

    @Test("addresses without number do not fill the memory: beyond the limit they are flooded")
    func manyAddresses() {
        var fabric = fabric()
        for address in 0..<UInt64(SwitchFabric.maximumAddresses + 10) {
            _ = fabric.route(destination: Self.broadcast, source: 0x0200_0001_0000 + address, from: 1)
        }
        let last = 0x0200_0001_0000 + UInt64(SwitchFabric.maximumAddresses + 9)
        #expect(fabric.route(destination: last, source: Self.first, from: 0) == 0b1110)
        #expect(fabric.route(destination: 0x0200_0001_0000, source: Self.first, from: 0) == 0b0010)
    }

    @Test("a path costs both ports' delays; a profile changes at run time")
    func path() throws {
        var fabric = fabric([.lan, .lan, .direct])
        let ascended = fabric.ascend(from: 0, at: 1_000_000)
        let inside = try #require(ascended).due
        #expect(inside >= 1_080_000)
        let descended = fabric.descend(to: 1, at: inside)
        #expect(try #require(descended).due >= inside + 80_000)
        let straight = fabric.descend(to: 2, at: inside)
        #expect(straight?.due == inside)
        fabric.setProfile(.cut, port: 1)
        #expect(fabric.descend(to: 1, at: 2_000_000) == nil)
        #expect(fabric.ascend(from: 1, at: 2_000_000) == nil)
        fabric.setProfile(.lan, port: 1)
        #expect(fabric.ascend(from: 1, at: 3_000_000) != nil)
    }

    @Test("a split network has two halves, until it is joined")
    func split() {
        var fabric = fabric()
        _ = fabric.route(destination: Self.broadcast, source: Self.second, from: 2)
        fabric.split(0b0011)
        #expect(fabric.route(destination: Self.broadcast, source: Self.first, from: 0) == 0b0010)
        #expect(fabric.route(destination: Self.second, source: Self.first, from: 0) == 0)
        #expect(fabric.route(destination: Self.broadcast, source: Self.second, from: 2) == 0b1000)
        fabric.split(0)
        #expect(fabric.route(destination: Self.second, source: Self.first, from: 0) == 0b0100)
    }

    @Test("a lane keeps order, grows, and knows its next precise frame")
    func lane() {
        var lane = FrameLane()
        #expect(lane.isEmpty && lane.nextDue == .max && lane.nextPreciseDue == .max)
        for index in 0..<1000 {
            // Every tenth is precise; dues jump back now and then, which a lane does not follow.
            let due = Int64(index) * 10 - (index % 7 == 0 ? 25 : 0)
            lane.append(WaitingFrame(due: due, slot: Int32(index), length: 100, isPrecise: index % 10 == 5))
        }
        var last = Int64.min
        for index in 0..<1000 {
            let precise = lane.nextPreciseDue
            let frame = lane.removeFirst()
            #expect(frame.slot == Int32(index) && frame.due >= last)
            #expect(!frame.isPrecise || frame.due == precise)
            last = frame.due
        }
        #expect(lane.isEmpty && lane.nextPreciseDue == .max)
        lane.append(WaitingFrame(due: 5, slot: 1, length: 60, isPrecise: true))
        #expect(lane.nextPreciseDue == last, "the first after an empty lane is still in order")
    }

    @Test("short messages are precise, bulk data and bare acknowledgements are not")
    func classes() {
        func isPrecise(_ length: Int, protocolNumber: UInt8 = 17, payload: Int = 64) -> Bool {
            var frame = [UInt8](repeating: 0, count: max(length, 64))
            frame[12] = 0x08
            frame[14] = 0x45
            let total = 20 + 32 + payload
            frame[16] = UInt8(total >> 8)
            frame[17] = UInt8(total & 0xff)
            frame[23] = protocolNumber
            frame[46] = 0x80
            return frame.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { EthernetHeader($0, length: UInt32(length)).isPrecise } ?? false
            }
        }
        #expect(isPrecise(106))
        #expect(!isPrecise(1514))
        #expect(!isPrecise(66, protocolNumber: 6, payload: 0))
        #expect(isPrecise(120, protocolNumber: 6, payload: 54))
    }

    @Test("control lines")
    func control() throws {
        #expect(try SwitchControl.parse("  h1 wifi ") == .setProfile(host: "h1", profile: .wifi))
        #expect(try SwitchControl.parse("stats") == .statistics)
        #expect(try SwitchControl.parse("") == nil)
        #expect(try SwitchControl.parse("split h1 h2") == .split(["h1", "h2"]))
        #expect(try SwitchControl.parse("join") == .split([]))
        #expect(try SwitchControl.parse("move h1 10.77.0.9") == .move(host: "h1", address: "10.77.0.9"))
        #expect(throws: LabError.badControlLine("split")) { try SwitchControl.parse("split") }
        #expect(throws: LabError.badControlLine("h1 snail")) { try SwitchControl.parse("h1 snail") }
        #expect(throws: LabError.badControlLine("h1")) { try SwitchControl.parse("h1") }
    }

    @Test("quantiles of the lateness")
    func quantiles() {
        var statistics = SwitchStatistics()
        #expect(statistics.lateness(quantile: 0.5) == nil)
        statistics.latenessMicroseconds[0] = 98
        statistics.latenessMicroseconds[9] = 2
        #expect(statistics.lateness(quantile: 0.5) == 1)
        #expect(statistics.lateness(quantile: 0.99) == 10)
    }
}
