import TuttiCore
import TuttiHost
import TuttiTiming

/// The socket of a simulated host's member of a group clock, which steps the member where a thread would.
final class VirtualTimingSocket: TimingSocket, @unchecked Sendable {
    /// How many times as seldom members ask each other, once they know the clock, as they would on real hosts: what
    /// they learn from each answer is most of what a world costs.
    static let pollDivisor: Int64 = 4

    let localPort: UInt16
    private let network: VirtualNetwork
    private let host: VirtualHost
    private let process: VirtualProcess
    private var key: UInt32 = 0
    /// Departures that have not been told yet: they are, before whatever comes next, as from the kernel's queue.
    private var departures: [UDPEvent] = []
    private weak var member: GroupClock?
    private var nextStep: Int64?
    /// Nanoseconds without a datagram after which a planted fault shows, and when the last one came.
    private static let loneliness: Int64 = 2_000_000_000
    private var lastArrival: Int64 = 0
    private var texts: [SocketAddress: String] = [:]
    private var addresses: [Peer: SocketAddress] = [:]

    private struct Peer: Hashable {
        let host: String
        let port: UInt16
    }

    init(_ network: VirtualNetwork, port: UInt16, process: VirtualProcess) {
        self.network = network
        localPort = port
        host = process.host
        self.process = process
        network.ports[host.number].sockets[port] = self
    }

    /// Sets who is stepped.
    func serve(_ member: GroupClock) {
        self.member = member
        step()
    }

    func send(_ bytes: [UInt8], to address: SocketAddress) -> SendStamp {
        let now = HostTime(nanoseconds: host.reading)
        key &+= 1
        departures.append(.transmitted(key: key, at: now, stamp: .kernel))
        network.send(bytes, from: (host.number, localPort), to: text(address), port: address.port)
        return SendStamp(key: key, userTime: now)
    }

    private func text(_ address: SocketAddress) -> String {
        if let known = texts[address] { return known }
        let text = address.host
        texts[address] = text
        return text
    }

    private func address(of peer: Peer) -> SocketAddress? {
        if let known = addresses[peer] { return known }
        let address = SocketAddress(host: peer.host, port: peer.port)
        addresses[peer] = address
        return address
    }

    func receive(timeoutNanoseconds: Int64) -> [UDPEvent] { [] }

    func wake() { process.after(0) { [self] in step() } }

    /// A datagram has come: stamped now, read when the process runs.
    func arrive(_ bytes: [UInt8], from origin: String, port: UInt16) {
        guard process.isAlive, let address = address(of: Peer(host: origin, port: port)) else { return }
        if network.ports[host.number].staysAlone {
            guard host.agenda.now - lastArrival < Self.loneliness || lastArrival == 0 else { return }
            lastArrival = host.agenda.now
        }
        let stamp = HostTime(nanoseconds: host.reading)
        process.perform { [self] in
            tellDepartures()
            member?.take(.datagram(bytes: bytes, from: address, receivedAt: stamp, stamp: .kernel))
            step()
        }
    }

    private func tellDepartures() {
        let told = departures
        departures = []
        for departure in told { member?.take(departure) }
    }

    /// Sends what is due, and comes again when more is.
    private func step() {
        guard let member, process.isAlive else { return }
        tellDepartures()
        guard let deadline = member.sendDue()?.nanoseconds else { return }
        let time = max(host.time(ofReading: deadline), host.agenda.now + 1_000)
        if let nextStep, nextStep > host.agenda.now, nextStep <= time { return }
        nextStep = time
        host.agenda.at(time) { [weak self] in
            guard let self, nextStep == time else { return }
            nextStep = nil
            process.perform { [self] in step() }
        }
    }
}
