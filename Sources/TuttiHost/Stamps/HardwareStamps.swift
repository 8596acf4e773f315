/// Which stamps of network interfaces are used, and what they say in raw time: a value that decides, for a socket that
/// asks.
///
/// A stamp counts when the fit of its clock is known and the time that comes of it lies where the datagram can have
/// passed, by the kernel's stamp and this process's own readings. Each direction of each peer goes by one kind
/// (`StampChoice`).
package struct HardwareStamps: Sendable {
    /// Peers that are remembered at most.
    package static let capacity = 256
    /// The longest way from the network interface to the kernel's stamp, or back, in ns: interrupts may be collected
    /// for a while.
    static let latency: Int64 = 5_000_000
    /// Departures with the kernel's stamp and without the hardware's, one after the other, from which on the latter is
    /// missing and not only late.
    static let late = 8

    private struct Peer: Sendable {
        var interface: UInt32?
        var arrivals = StampChoice()
        var departures = StampChoice()
        var unstamped = 0
        var lastSeen: Int64
    }

    private var peers: [SocketAddress: Peer] = [:]
    /// By the number of a PTP clock.
    private var fits: [Int32: ClockFit] = [:]
    /// The PTP clocks of interfaces whose stamps may be used.
    private var clocks: [UInt32: Int32] = [:]

    /// From now on these interfaces have these PTP clocks.
    package mutating func use(_ clocks: [UInt32: Int32]) {
        self.clocks = clocks
        let used = Set(clocks.values)
        fits = fits.filter { used.contains($0.key) }
    }

    /// A PTP clock was read.
    package mutating func take(_ reading: ClockReading, of clock: Int32) {
        fits[clock, default: ClockFit()].take(reading)
    }

    /// The raw time of an arrival from `peer` by the interface's stamp, when the datagram can have passed there then,
    /// and its peer's arrivals go by such stamps.
    ///
    /// - Parameters:
    ///   - software: the raw time of the kernel's stamp.
    ///   - window: when it can have come, as far as this process knows.
    mutating func arrival(
        _ stamp: KernelStamp, from peer: SocketAddress, software: Int64?, window: ClosedRange<Int64>
    ) -> Int64? {
        guard !clocks.isEmpty else { return nil }
        var known = known(peer, now: window.upperBound)
        if let interface = stamp.interface { known.interface = interface }
        let earliest = (software ?? window.lowerBound) - Self.latency
        let raw = time(of: stamp, on: known.interface, from: earliest, through: software ?? window.upperBound)
        known.arrivals.note(hasHardware: raw != nil)
        peers[peer] = known
        return known.arrivals.usesHardware ? raw : nil
    }

    /// The raw time of a departure to `peer` by the interface's stamp, judged in the same way.
    mutating func departure(
        _ stamp: KernelStamp, to peer: SocketAddress, software: Int64?, window: ClosedRange<Int64>
    ) -> Int64? {
        guard !clocks.isEmpty else { return nil }
        var known = known(peer, now: window.upperBound)
        let latest = min(software.map { $0 + Self.latency } ?? window.upperBound, window.upperBound)
        let raw = time(of: stamp, on: known.interface, from: software ?? window.lowerBound, through: latest)
        known.departures.note(hasHardware: raw != nil)
        known.unstamped = 0
        peers[peer] = known
        return known.departures.usesHardware ? raw : nil
    }

    /// A departure to `peer` has the kernel's stamp; the hardware's comes later, if at all.
    ///
    /// - Returns: whether that is to be waited for.
    mutating func awaitsDeparture(to peer: SocketAddress, now: Int64) -> Bool {
        guard !clocks.isEmpty else { return false }
        var known = known(peer, now: now)
        known.unstamped = min(known.unstamped + 1, Self.late + 1)
        if known.unstamped > Self.late { known.departures.note(hasHardware: false) }
        peers[peer] = known
        return known.departures.usesHardware
    }

    private mutating func known(_ peer: SocketAddress, now: Int64) -> Peer {
        if var known = peers[peer] {
            known.lastSeen = now
            return known
        }
        if peers.count >= Self.capacity, let oldest = peers.min(by: { $0.value.lastSeen < $1.value.lastSeen }) {
            peers[oldest.key] = nil
        }
        return Peer(lastSeen: now)
    }

    private func time(
        of stamp: KernelStamp, on interface: UInt32?, from earliest: Int64, through latest: Int64
    ) -> Int64? {
        guard let hardware = stamp.hardware, let clock = clock(of: interface),
            let time = fits[clock]?.raw(of: hardware)
        else { return nil }
        let tolerance = time.uncertainty + 5000
        return time.raw >= earliest - tolerance && time.raw <= latest + tolerance ? time.raw : nil
    }

    /// The clock of an interface. Departures do not say theirs: it is the one that the peer's datagrams come by, and as
    /// long as none of these was stamped, the only one there is.
    private func clock(of interface: UInt32?) -> Int32? {
        if let interface { return clocks[interface] }
        let all = Set(clocks.values)
        return all.count == 1 ? all.first : nil
    }
}
