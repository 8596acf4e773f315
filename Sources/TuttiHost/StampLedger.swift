/// How the stamps of a `TimestampedUDPSocket` fared.
package struct StampStatistics: Sendable, Equatable {
    /// Datagrams delivered with the kernel's stamp.
    package var kernelReceipts = 0
    /// Datagrams delivered with this process's own reading.
    package var userReceipts = 0
    /// Departures reported with the kernel's stamp.
    package var kernelDepartures = 0
    /// Kernel stamps dropped because they contradicted this process's own readings.
    package var discarded = 0

    /// Zeros.
    package init() {}
}

/// What a socket remembers in order to number departures and to judge the kernel's stamps. All times are raw ns.
package struct StampLedger: Sendable {
    /// Departures that are waited for at most; older ones are forgotten.
    static let capacity = 256
    /// A stamp is made a little before its datagram can be received: how much, at most, an empty queue may be younger.
    static let queueSlack: Int64 = 1_000_000

    package private(set) var transmitStamps: Bool
    package private(set) var nextKey: UInt32 = 0
    /// Key of the datagram that the kernel numbers 0.
    private var keyOfZero: UInt32 = 0
    private var sends: [(key: UInt32, before: Int64)?] = Array(repeating: nil, count: capacity)
    private var bridge: ClockBridge
    private var emptySince: Int64
    /// Stamps of before a step of the real-time clock may still be queued.
    private var isStepped = false
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

    /// The datagram `nextKey` was handed to the kernel just after `before`.
    package mutating func sent(at before: Int64) {
        sends[Int(nextKey) % Self.capacity] = (nextKey, before)
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

    /// The raw time of an arrival that the kernel stamped `realtime`, taken out of the queue by `now`; nil when it cannot
    /// be true.
    package mutating func arrival(realtime: Int64, now: Int64) -> Int64? {
        judged(realtime, from: emptySince - Self.queueSlack, through: now)
    }

    /// The key and raw time of a departure that the kernel numbered `number`, reported by `now`.
    package mutating func departure(number: UInt32, realtime: Int64, now: Int64) -> (key: UInt32, raw: Int64)? {
        let key = keyOfZero &+ number
        let slot = Int(key) % Self.capacity
        guard let send = sends[slot], send.key == key else {
            statistics.discarded += 1
            return nil
        }
        // One that is too early was numbered before the numbering began anew: its own may still come.
        guard let raw = judged(realtime, from: send.before, through: now) else { return nil }
        sends[slot] = nil
        statistics.kernelDepartures += 1
        return (key, raw)
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
