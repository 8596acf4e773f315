import CLinux
import Glibc
import Synchronization
import TuttiCore

/// A UDP socket whose datagrams carry stamps of arrival and departure: the network interface's where that makes them,
/// or else the kernel's.
///
/// Kernel stamps are `CLOCK_REALTIME`. They are converted with sandwich reads made at the send and at the receipt, and
/// dropped when they lie outside what this process saw around them (the clock was stepped, or a driver talks nonsense).
/// Then, and where the kernel or a driver stamps in one direction only, this process's own reading takes their place,
/// for that direction alone. A network interface stamps with its own PTP clock, which is compared with the raw clock
/// ten times a second (`ClockFit`); `HardwareStamps` decides where its stamps are taken.
///
/// `send`, `receive` and `wake` may be called on any thread; `receive` on one at a time.
package final class TimestampedUDPSocket: Sendable {
    /// The most datagrams, and the most departures, that one `receive` delivers.
    package static let batchLimit = 32
    /// The longest datagram that is delivered whole; longer ones are dropped. In bytes.
    package static let datagramLimit = 2048

    /// The port that the socket is bound to.
    package let localPort: UInt16
    /// The socket's protocol; an IPv6 socket reaches IPv4 hosts too.
    package let family: SocketAddress.Family

    let descriptor: Int32
    let waker: Int32
    let clock: HostClock
    let ledger: Mutex<StampLedger>
    let marking = Mutex(Marking())
    private let usesHardware: Bool
    private let hardwareClocks: Mutex<HardwareClocks>

    /// Binds to `port` (0: any) of `address` (nil: of every interface, IPv4 and IPv6 where the host has both).
    ///
    /// - Parameter hardwareStamps: whether stamps of network interfaces are used; without them nothing fails.
    /// - Throws: `HostError.unresolvable`, or `HostError.system` with `EADDRINUSE`, `EACCES`, ….
    package init(
        address: String?, port: UInt16, clock: HostClock, hardwareStamps: HardwareStampUse = .off
    ) throws(HostError) {
        let socket = try Self.bound(address: address, port: port)
        guard let local = Self.localAddress(of: socket.descriptor) else {
            let code = errno
            close(socket.descriptor)
            throw .system(action: "read the UDP socket's address", code: code)
        }
        let waker = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard waker >= 0 else {
            let code = errno
            close(socket.descriptor)
            throw .system(action: "create an event descriptor", code: code)
        }
        descriptor = socket.descriptor
        family = socket.family
        localPort = local.port
        self.waker = waker
        self.clock = clock
        usesHardware = hardwareStamps != .off
        hardwareClocks = Mutex(HardwareClocks(use: hardwareStamps))
        ledger = Mutex(
            StampLedger(transmitStamps: Self.enableStamps(on: socket.descriptor, hardware: hardwareStamps != .off)))
        Self.set(socket.descriptor, Int32(IPPROTO_IP), IP_RECVTOS, 1)
        if family == .v6 { Self.set(socket.descriptor, Int32(IPPROTO_IPV6), IPV6_RECVTCLASS, 1) }
        Self.mark(socket.descriptor, family: socket.family, expedited: true)
    }

    deinit {
        close(descriptor)
        close(waker)
    }

    /// How stamps fared since the socket was made.
    package var statistics: StampStatistics { ledger.withLock { $0.statistics } }

    /// What has become of hardware stamps since the last call, for the log; a line an interface.
    package func takeRemarks() -> [String] { hardwareClocks.withLock { $0.takeRemarks() } }

    /// Compares the interfaces' clocks with the raw clock, if it is time for that.
    func updateClocks(_ ledger: inout StampLedger, now: Int64) {
        guard usesHardware else { return }
        hardwareClocks.withLock { $0.update(&ledger.hardware, now: now) }
    }

    /// Makes a `receive` that waits, or else the next one, return at once.
    package func wake() {
        var one: UInt64 = 1
        _ = write(waker, &one, MemoryLayout<UInt64>.size)
    }

    /// Sends one datagram without waiting.
    ///
    /// - Returns: the key under which its departure will be reported and the time just before the send; `failure` is
    ///   set when the kernel took nothing (`EAGAIN`, `ENETUNREACH`, …; `EAFNOSUPPORT` for IPv6 where the host has
    ///   none).
    package func send(_ bytes: [UInt8], to address: SocketAddress) -> SendStamp {
        ledger.withLock { ledger in
            ledger.observe(bridge: .measure())
            updateClocks(&ledger, now: HostClock.rawNow())
            mark(for: address)
            let key = ledger.nextKey
            let before = HostClock.rawNow()
            let result = address.withRawAddress(for: family) { raw in
                bytes.withUnsafeBytes {
                    sendto(
                        descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT),
                        raw.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
                }
            }
            let code = result == nil ? EAFNOSUPPORT : (result ?? 0) < 0 ? errno : 0
            if code == 0 {
                ledger.sent(to: address, at: before)
            } else if result != nil, ledger.transmitStamps {
                // Whether a refused datagram took a number depends on how far it came: count afresh.
                ledger.restartNumbering(isRestarted: Self.restartNumbering(of: descriptor, hardware: usesHardware))
            }
            return SendStamp(key: key, userTime: clock.hostTime(raw: before), failure: code)
        }
    }
}

extension TimestampedUDPSocket {
    private static func bound(
        address: String?, port: UInt16
    ) throws(HostError) -> (descriptor: Int32, family: SocketAddress.Family) {
        guard let address else {
            if let any = SocketAddress(host: "::", port: port) {
                do { return try bound(to: any, isDualStack: true) } catch {
                    guard case .system(_, let code) = error, code == EAFNOSUPPORT || code == EADDRNOTAVAIL else {
                        throw error
                    }
                }
            }
            return try bound(address: "0.0.0.0", port: port)
        }
        let candidates = try SocketAddress.resolve(host: address, port: port)
        guard let first = candidates.first else { throw .unresolvable(host: address, reason: "no address") }
        return try bound(to: first, isDualStack: false)
    }

    private static func bound(
        to address: SocketAddress, isDualStack: Bool
    ) throws(HostError) -> (descriptor: Int32, family: SocketAddress.Family) {
        let domain = address.family == .v6 ? AF_INET6 : AF_INET
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(domain, type, 0)
        guard descriptor >= 0 else { throw .system(action: "create a UDP socket", code: errno) }
        if address.family == .v6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, isDualStack ? 0 : 1) }
        let result = address.withRawAddress(for: address.family) {
            bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw .system(action: "bind UDP \(isDualStack ? "port \(address.port)" : "\(address)")", code: code)
        }
        return (descriptor, address.family)
    }

    private static func localAddress(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        return withUnsafeBytes(of: &storage) { SocketAddress(rawBytes: $0) }
    }

    @discardableResult
    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
        var value = value
        return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Asks for stamps in both directions, or of arrivals alone, or for none; says whether departures are stamped.
    ///
    /// - Parameter hardware: whether the network interfaces' own stamps are wanted, too.
    private static func enableStamps(on descriptor: Int32, hardware: Bool) -> Bool {
        let software = tutti_timestamping_receive | tutti_timestamping_transmit
        if hardware, set(descriptor, SOL_SOCKET, tutti_so_timestamping, software | tutti_timestamping_hardware) {
            return true
        }
        if set(descriptor, SOL_SOCKET, tutti_so_timestamping, software) { return true }
        set(descriptor, SOL_SOCKET, tutti_so_timestamping, tutti_timestamping_receive)
        return false
    }

    /// Sets the kernel's counter of departures to 0 by turning it off and on.
    private static func restartNumbering(of descriptor: Int32, hardware: Bool) -> Bool {
        set(descriptor, SOL_SOCKET, tutti_so_timestamping, tutti_timestamping_receive)
        return enableStamps(on: descriptor, hardware: hardware)
    }

    /// What datagrams have been marked with.
    struct Marking {
        var classes = ServiceClasses<SocketAddress>()
        /// Whether the next one would go out with a class.
        var isMarked = true
    }

    /// Has the next datagram go out as it should to this peer. Under the ledger's lock.
    private func mark(for address: SocketAddress) {
        marking.withLock { marking in
            let isMarked = marking.classes.marksNext(to: address)
            guard isMarked != marking.isMarked else { return }
            marking.isMarked = isMarked
            Self.mark(descriptor, family: family, expedited: isMarked)
        }
    }

    /// DSCP EF (RFC 3246): routers and Wi-Fi (as WMM voice) let timing pass before bulk traffic. Best effort; or none.
    private static func mark(_ descriptor: Int32, family: SocketAddress.Family, expedited: Bool) {
        let value: Int32 = expedited ? 46 << 2 : 0
        set(descriptor, Int32(IPPROTO_IP), IP_TOS, value)
        if family == .v6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_TCLASS, value) }
        // This host's own queues go by that; over IPv6 it does not follow from the class, over IPv4 it would.
        set(descriptor, SOL_SOCKET, SO_PRIORITY, 6)
    }
}
