package import TuttiCore

/// How the stamps of a `TimestampedUDPSocket` fared.
package struct StampStatistics: Sendable, Equatable {
    /// Datagrams delivered with the network interface's stamp.
    package var hardwareReceipts = 0
    /// Datagrams delivered with the kernel's stamp.
    package var kernelReceipts = 0
    /// Datagrams delivered with this process's own reading.
    package var userReceipts = 0
    /// Departures reported with the network interface's stamp.
    package var hardwareDepartures = 0
    /// Departures reported with the kernel's stamp.
    package var kernelDepartures = 0
    /// Kernel stamps dropped because they contradicted this process's own readings.
    package var discarded = 0
}

/// What a socket remembers in order to number departures and to judge the kernel's stamps. All times are raw ns.
package struct StampLedger: Sendable {
    /// Departures that are waited for at most; older ones are forgotten.
    static let capacity = 256
    /// A stamp is made a little before its datagram can be received: how much, at most, an empty queue may be younger.
    static let queueSlack: Int64 = 1_000_000

    private struct Send: Sendable {
        var key: UInt32
        var before: Int64
        var peer: SocketAddress
        /// The raw time of the kernel's stamp, once it has come.
        var software: Int64?
        /// A stamp was delivered.
        var isReported = false
    }

    /// When a datagram passed, and who says so.
    package struct Verdict: Sendable, Equatable {
        /// In raw ns.
        package var raw: Int64
        /// The kernel or the hardware.
        package var kind: StampKind
    }

    package private(set) var transmitStamps: Bool
    package private(set) var nextKey: UInt32 = 0
    /// Key of the datagram that the kernel numbers 0.
    private var keyOfZero: UInt32 = 0
    private var sends: [Send?] = Array(repeating: nil, count: capacity)
    private var bridge: ClockBridge
    private var emptySince: Int64
    /// Stamps of before a step of the real-time clock may still be queued.
    private var isStepped = false
    /// What is known of the stamps of network interfaces.
    package var hardware = HardwareStamps()
    /// How stamps fared.
    package var statistics = StampStatistics()

    package init(transmitStamps: Bool, bridge: ClockBridge = .measure()) {
        self.transmitStamps = transmitStamps
        self.bridge = bridge
        emptySince = bridge.measuredAt
    }

    /// A new measurement of the kernel's stamping clock.
    package mutating func observe(bridge new: ClockBridge) {
        if !new.isContinuous(with: bridge) { isStepped = true }
        bridge = new
    }

    /// The datagram `nextKey` was handed to the kernel just after `before`, for `peer`.
    package mutating func sent(to peer: SocketAddress, at before: Int64) {
        sends[Int(nextKey) % Self.capacity] = Send(key: nextKey, before: before, peer: peer)
        nextKey &+= 1
    }

    /// The kernel counts the next datagram as 0 again, or (when it could not be made to) stamps no departures any more.
    package mutating func restartNumbering(isRestarted: Bool) {
        transmitStamps = isRestarted
        keyOfZero = nextKey
    }

    /// Nothing was queued at `time`.
    package mutating func sawEmptyQueue(at time: Int64) {
        emptySince = time
        isStepped = false
    }

    /// When a datagram from `peer` arrived, taken out of the queue by `now`; nil when no stamp can be true.
    package mutating func arrival(_ stamp: KernelStamp, from peer: SocketAddress, now: Int64) -> Verdict? {
        let earliest = min(emptySince - Self.queueSlack, now)
        let software = stamp.realtime.flatMap { judged($0, from: earliest, through: now) }
        if let raw = hardware.arrival(stamp, from: peer, software: software, window: earliest...now) {
            return Verdict(raw: raw, kind: .hardware)
        }
        return software.map { Verdict(raw: $0, kind: .kernel) }
    }

    /// When the datagram that the kernel numbered `number` departed, reported by `now`, and its key. Nil for one that
    /// was never sent or was reported, for an impossible time, and where a better stamp is still to come.
    package mutating func departure(
        number: UInt32, _ stamp: KernelStamp, now: Int64
    ) -> (key: UInt32, stamp: Verdict)? {
        let key = keyOfZero &+ number
        let slot = Int(key) % Self.capacity
        guard var send = sends[slot], send.key == key else {
            statistics.discarded += 1
            return nil
        }
        var verdict: Verdict?
        if let realtime = stamp.realtime, send.software == nil {
            // One that is too early was numbered before the numbering began anew: its own may still come.
            guard let raw = judged(realtime, from: send.before, through: now) else { return nil }
            send.software = raw
            if !hardware.awaitsDeparture(to: send.peer, now: now) { verdict = Verdict(raw: raw, kind: .kernel) }
        } else if stamp.hardware != nil {
            let window = min(send.before, now)...now
            let raw = hardware.departure(stamp, to: send.peer, software: send.software, window: window)
            verdict = raw.map { Verdict(raw: $0, kind: .hardware) }
        } else {
            statistics.discarded += 1
        }
        defer { sends[slot] = send }
        guard let verdict, !send.isReported else { return nil }
        send.isReported = true
        return (key, verdict)
    }

    private mutating func judged(_ realtime: Int64, from earliest: Int64, through latest: Int64) -> Int64? {
        let raw = bridge.raw(realtime)
        let tolerance = bridge.uncertainty + 5000
        guard !isStepped, realtime > 0, raw >= earliest - tolerance, raw <= latest + tolerance else {
            statistics.discarded += 1
            return nil
        }
        return raw
    }
}
