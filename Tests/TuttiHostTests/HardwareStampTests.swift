import Testing
import TuttiCore
import TuttiHost

/// A socket's ledger with a network interface whose clock is known, and what datagrams do there. Times are raw ns.
private struct VirtualInterface {
    static let interface: UInt32 = 3
    /// The kernel's stamping clock, and the hardware's, against the raw one.
    static let (real, hardware): (Int64, Int64) = (1_000_000_000_000, 77_000_000_000_000)

    var ledger = StampLedger(
        transmitStamps: true, bridge: ClockBridge(measuredAt: 0, offset: -real, uncertainty: 50))
    var now: Int64 = 1_000_000_000
    private var sent: UInt32 = 0

    init(clocks: [UInt32: Int32] = [interface: 0]) {
        ledger.hardware.use(clocks)
        for _ in 0..<10 { readClock() }
    }

    /// The hardware's clock is read, off by `error`.
    mutating func readClock(error: Int64 = 0) {
        now += 100_000_000
        ledger.hardware.take(
            ClockReading(raw: now, other: now + Self.hardware + error, uncertainty: 200), of: 0)
    }

    /// A datagram comes, 30 µs before the kernel's stamp of it, or `early` before that.
    mutating func arrival(
        hasHardware: Bool = true, early: Int64 = 30_000, from peer: SocketAddress = .documentation
    ) -> StampLedger.Verdict? {
        now += 5_000_000
        ledger.sawEmptyQueue(at: now - 1_000_000)
        let stamp = KernelStamp(
            realtime: now + Self.real, hardware: hasHardware ? now - early + Self.hardware : nil,
            interface: hasHardware ? Self.interface : nil)
        return ledger.arrival(stamp, from: peer, now: now + 20_000)
    }

    /// A datagram goes; gives what is reported of its departure, and how late after the kernel's stamp.
    mutating func departure(
        hasSoftware: Bool = true, hasHardware: Bool = true, late: Int64 = 8_000, to peer: SocketAddress = .documentation
    ) -> [StampLedger.Verdict] {
        now += 5_000_000
        let number = sent
        sent += 1
        ledger.sent(to: peer, at: now)
        var reports: [StampLedger.Verdict?] = []
        if hasSoftware {
            let stamp = KernelStamp(realtime: now + 10_000 + Self.real)
            reports.append(ledger.departure(number: number, stamp, now: now + 300_000)?.stamp)
        }
        if hasHardware {
            let stamp = KernelStamp(hardware: now + 10_000 + late + Self.hardware)
            reports.append(ledger.departure(number: number, stamp, now: now + 20_000_000)?.stamp)
        }
        return reports.compactMap(\.self)
    }
}

extension SocketAddress {
    /// An address that leads nowhere (RFC 5737).
    static let documentation = at(1)

    static func at(_ number: Int) -> SocketAddress {
        let (host, port) = ("192.0.2.\(number % 250 + 1)", UInt16(7_700 + number / 250))
        guard let address = SocketAddress(numericHost: host, port: port) else { preconditionFailure("no address") }
        return address
    }
}

struct HardwareStampTests {
    @Test func arrivalsTurnToHardwareOnceItIsThereForAWhile() throws {
        var socket = VirtualInterface()
        let kinds = (0..<40).map { _ in socket.arrival()?.kind }
        #expect(kinds == Array(repeating: .kernel, count: 15) + Array(repeating: .hardware, count: 25))
        let last = socket.arrival()
        let stamp = try #require(last)
        #expect(abs(stamp.raw - (socket.now - 30_000)) < 500)
    }

    @Test func departuresTurnToHardwareAndAreReportedOnce() {
        var socket = VirtualInterface()
        for _ in 0..<16 {
            #expect(socket.departure().map(\.kind) == [.kernel])
        }
        for _ in 0..<20 {
            let reports = socket.departure()
            #expect(reports.map(\.kind) == [.hardware])
            #expect(abs((reports.first?.raw ?? 0) - (socket.now + 18_000)) < 500)
        }
    }

    @Test func aFewMissingStampsMakeNoChangeAndAreNotReplaced() {
        var socket = VirtualInterface()
        for _ in 0..<20 { _ = (socket.arrival(), socket.departure()) }
        for index in 0..<60 {
            let isMissing = index % 3 == 0
            #expect(socket.departure(hasHardware: !isMissing).map(\.kind) == (isMissing ? [] : [.hardware]))
            // What came without tells so: whoever uses it decides.
            #expect(socket.arrival(hasHardware: !isMissing)?.kind == (isMissing ? .kernel : .hardware))
        }
    }

    @Test func hardwareThatStopsIsLeft() {
        var socket = VirtualInterface()
        for _ in 0..<20 { _ = (socket.arrival(), socket.departure()) }
        let departures = (0..<40).map { _ in socket.departure(hasHardware: false).first?.kind }
        let arrivals = (0..<40).map { _ in socket.arrival(hasHardware: false)?.kind }
        #expect(departures.suffix(12) == Array(repeating: .kernel, count: 12)[...])
        #expect(departures.prefix(20) == Array(repeating: nil, count: 20)[...])
        #expect(arrivals == Array(repeating: .kernel, count: 40))
        // And is taken up again.
        _ = (0..<20).map { _ in (socket.arrival(), socket.departure()) }
        #expect(socket.arrival()?.kind == .hardware)
        #expect(socket.departure().map(\.kind) == [.hardware])
    }

    @Test func stampsThatCannotBeTrueAreNotTaken() {
        var socket = VirtualInterface()
        for _ in 0..<20 { _ = (socket.arrival(), socket.departure()) }
        // After the kernel's, long before it, and in another century.
        for early in [-50_000, 6_000_000, 3_600_000_000_000] as [Int64] {
            #expect(socket.arrival(early: early)?.kind == .kernel)
        }
        for late in [-50_000, 6_000_000, 3_600_000_000_000] as [Int64] { #expect(socket.departure(late: late).isEmpty) }
        #expect(socket.arrival()?.kind == .hardware)
    }

    @Test func hardwareServesWhereTheKernelStampsNoDepartures() {
        var socket = VirtualInterface()
        let kinds = (0..<20).map { _ in socket.departure(hasSoftware: false).first?.kind }
        #expect(kinds == Array(repeating: nil, count: 15) + Array(repeating: .hardware, count: 5))
    }

    @Test func aClockThatWasSetConvertsNothing() {
        var socket = VirtualInterface()
        for _ in 0..<20 { _ = socket.arrival() }
        socket.readClock(error: 40_000)
        #expect(socket.arrival()?.kind == .kernel)
        for _ in 0..<4 { socket.readClock(error: 0) }
        #expect(socket.arrival()?.kind == .hardware)
    }

    @Test func eachPeerHasItsOwnKind() {
        var socket = VirtualInterface()
        for _ in 0..<20 { _ = (socket.arrival(from: .at(1)), socket.departure(to: .at(1))) }
        #expect(socket.arrival(hasHardware: false, from: .at(2))?.kind == .kernel)
        // One behind an interface that stamps nothing costs the other nothing.
        for _ in 0..<40 {
            #expect(socket.departure(hasHardware: false, to: .at(2)).map(\.kind) == [.kernel])
        }
        #expect(socket.departure(to: .at(1)).map(\.kind) == [.hardware])
    }

    @Test func ofSeveralClocksTheOneOfThePeersInterfaceCounts() {
        var socket = VirtualInterface(clocks: [VirtualInterface.interface: 0, 4: 1])
        for _ in 0..<20 { #expect(socket.departure().map(\.kind) == [.kernel]) }
        _ = socket.arrival()
        let kinds = (0..<20).compactMap { _ in socket.departure().last?.kind }
        #expect(kinds.last == .hardware)
    }

    @Test func withoutClocksNothingIsDifferent() {
        var socket = VirtualInterface(clocks: [:])
        for _ in 0..<40 {
            #expect(socket.arrival()?.kind == .kernel)
            #expect(socket.departure().map(\.kind) == [.kernel])
        }
    }

    @Test func peersAreForgottenTheOldestFirst() {
        var socket = VirtualInterface()
        for _ in 0..<20 { _ = socket.arrival(from: .at(1)) }
        for number in 2..<600 {
            if number % 20 == 0 { socket.readClock() }
            _ = socket.arrival(from: .at(number))
            if number % 50 == 0 { #expect(socket.arrival(from: .at(1))?.kind == .hardware) }
        }
        for number in 600..<900 {
            if number % 20 == 0 { socket.readClock() }
            _ = socket.arrival(from: .at(number))
        }
        #expect(socket.arrival(from: .at(1))?.kind == .kernel)
    }

    @Test func onlyWhatIsMissingIsSwitchedOn() {
        typealias Configuration = InterfaceStamps.Configuration
        let able = InterfaceStamps(capabilities: 0x5f, clock: 0, departures: 0b11, arrivals: 0b11)
        let off = Configuration(departures: 0, arrivals: 0)
        #expect(able.wanted(beyond: off) == Configuration(departures: 1, arrivals: 1))
        #expect(able.wanted(beyond: Configuration(departures: 1, arrivals: 1)) == nil)
        // ptp4l's filter becomes the one that includes it; its one-step departures stay.
        let ptp = Configuration(departures: 2, arrivals: 12)
        #expect(able.wanted(beyond: ptp) == Configuration(departures: 2, arrivals: 1))
        let partly = InterfaceStamps(capabilities: 0x5f, clock: 0, departures: 0b11, arrivals: 1 << 12)
        #expect(partly.wanted(beyond: off) == Configuration(departures: 1, arrivals: 0))
    }

    @Test func doctorSaysWhatIsMissing() {
        typealias Configuration = InterfaceStamps.Configuration
        func finding(_ clock: Int32?, _ now: Configuration?, isReadable: Bool = true) -> HealthFinding? {
            HardwareStampCheck.finding(
                interface: "eth0",
                stamps: InterfaceStamps(capabilities: 0x5f, clock: clock, departures: 3, arrivals: 3), now: now,
                isReadable: { _ in isReadable })
        }
        let on = Configuration(departures: 1, arrivals: 1)
        #expect(finding(nil, on) == nil)
        #expect(finding(0, on)?.level == .ok)
        #expect(finding(0, nil)?.level == .unknown)
        #expect(finding(0, on, isReadable: false)?.level == .warning)
        #expect(finding(2, Configuration(departures: 0, arrivals: 0))?.message == "off; kernel stamps are used")
        #expect(finding(2, Configuration(departures: 1, arrivals: 0))?.message == "on for departures (/dev/ptp2)")
    }
}
