import Glibc
import TuttiCore

/// Whether the kernel stamps datagrams, in general and on each interface.
package enum KernelStamps {
    /// What an exchange over the loopback gave.
    package struct Exchange: Equatable {
        /// Datagrams that the kernel took.
        package var sent = 0
        /// Datagrams that came.
        package var arrived = 0
        /// Departures with a kernel stamp.
        package var stampedDepartures = 0
        /// Arrivals with a kernel stamp.
        package var stampedArrivals = 0

        /// An exchange of so many datagrams.
        package init(sent: Int = 0, arrived: Int = 0, stampedDepartures: Int = 0, stampedArrivals: Int = 0) {
            self.sent = sent
            self.arrived = arrived
            self.stampedDepartures = stampedDepartures
            self.stampedArrivals = stampedArrivals
        }

        fileprivate mutating func add(_ other: Exchange) {
            sent += other.sent
            arrived += other.arrived
            stampedDepartures += other.stampedDepartures
            stampedArrivals += other.stampedArrivals
        }
    }

    /// `SOF_TIMESTAMPING_*` of `linux/net_tstamp.h`.
    private static let transmitSoftware: UInt32 = 1 << 1
    private static let receiveSoftware: UInt32 = 1 << 3

    /// Exchanges some datagrams with itself.
    static func measured() -> HealthFinding {
        do {
            return finding(try exchange())
        } catch {
            return HealthFinding(
                "kernel stamps", .problem, error.description, advice: "allow this user to open UDP sockets")
        }
    }

    static func exchange() throws(HostError) -> Exchange {
        let sender = try TimestampedUDPSocket(address: "127.0.0.1", port: 0, clock: HostClock())
        let receiver = try TimestampedUDPSocket(address: "127.0.0.1", port: 0, clock: HostClock())
        guard let address = SocketAddress(host: "127.0.0.1", port: receiver.localPort) else { return Exchange() }
        // The kernel begins to stamp a moment after it is asked to, on a busy host a longer one.
        let end = ContinuousClock.now + Self.settlingTime
        while ContinuousClock.now < end {
            let first = Self.exchange(between: sender, and: receiver, at: address)
            if first.stampedArrivals > 0, first.stampedDepartures > 0 { break }
            usleep(2_000)
        }
        var exchange = Exchange()
        for _ in 0..<8 {
            exchange.add(Self.exchange(between: sender, and: receiver, at: address))
        }
        return exchange
    }

    /// For how long a datagram with both stamps is waited for. A count of datagrams would be used up at once: each is
    /// there within microseconds.
    private static let settlingTime = Duration.seconds(2)

    /// Sends one datagram and takes what comes.
    private static func exchange(
        between sender: TimestampedUDPSocket, and receiver: TimestampedUDPSocket, at address: SocketAddress
    ) -> Exchange {
        var exchange = Exchange()
        if sender.send([1], to: address).isSent { exchange.sent += 1 }
        for event in receiver.receive(timeoutNanoseconds: 20_000_000) + sender.receive(timeoutNanoseconds: 20_000_000) {
            switch event {
            case .datagram(_, _, _, let stamp):
                exchange.arrived += 1
                if stamp >= .kernel { exchange.stampedArrivals += 1 }
            case .transmitted: exchange.stampedDepartures += 1
            }
        }
        return exchange
    }

    /// What an exchange means.
    package static func finding(_ exchange: Exchange) -> HealthFinding {
        let check = "kernel stamps"
        guard exchange.arrived > 0 else {
            return HealthFinding(
                check, .problem, "no datagram arrives over the loopback", advice: "allow UDP on lo in the firewall")
        }
        // The first one or two may go without: the kernel switches stamping on a little later.
        let departures = exchange.stampedDepartures * 2 >= exchange.sent
        let arrivals = exchange.stampedArrivals * 2 >= exchange.arrived
        let advice =
            "a container or sandbox may hide them: run outside of it. Without them, rooms are in sync less closely"
        switch (departures, arrivals) {
        case (true, true): return HealthFinding(check, .ok, "of departures and arrivals")
        case (false, true): return HealthFinding(check, .warning, "of arrivals only", advice: advice)
        case (true, false): return HealthFinding(check, .warning, "of departures only", advice: advice)
        case (false, false): return HealthFinding(check, .warning, "in neither direction", advice: advice)
        }
    }

    /// What a driver's word means.
    ///
    /// - Parameter capabilities: `SOF_TIMESTAMPING_*` bits, if it says them.
    package static func finding(interface: String, capabilities: UInt32?) -> HealthFinding {
        let check = "stamps of \(interface)"
        guard let capabilities else {
            return HealthFinding(
                check, .unknown, "the driver does not report them",
                advice: "while something plays, `tutti watch --sync` shows which stamps are in use")
        }
        let departures = capabilities & transmitSoftware != 0
        guard capabilities & receiveSoftware != 0 else {
            return HealthFinding(check, .warning, "the kernel does not stamp arrivals", advice: "use another interface")
        }
        return departures
            ? HealthFinding(check, .ok, "the driver stamps departures and arrivals")
            : HealthFinding(
                check, .warning,
                "the driver does not stamp departures, so load on this host makes the clock less accurate",
                advice: "use another interface or driver if you need closer sync")
    }
}
