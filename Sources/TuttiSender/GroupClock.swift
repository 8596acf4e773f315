import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiWire

/// The group clock as this host leads it: answers timing requests on a thread of its own.
///
/// Leading is a role: what the rooms are told is an announcement, which could as well name another leader.
final class GroupClock: Sendable {
    /// This host's clock.
    let hostClock: HostClock
    /// What the rooms are told.
    let announcement: ClockAnnouncement
    private let socket: TimestampedUDPSocket
    private let responder: Mutex<TimingResponder>
    private let isStopping = Atomic<Bool>(false)

    /// Leads a new timescale with a random id and epoch, on any free UDP port.
    ///
    /// - Throws: `SenderError.system` when there is no socket or thread.
    init(hostClock: HostClock) throws(SenderError) {
        self.hostClock = hostClock
        var random = SystemRandomNumberGenerator()
        let timescale = TimescaleID(rawValue: UInt64.random(in: 1...UInt64.max, using: &random))
        responder = Mutex(
            TimingResponder(timescale: timescale, epochOffset: Int64.random(in: 0...Self.maximumEpoch, using: &random)))
        do {
            socket = try TimestampedUDPSocket(address: nil, port: 0, clock: hostClock)
            announcement = ClockAnnouncement(timescale: timescale, leaderPort: socket.localPort, priority: 900)
            _ = try RealtimeThread.spawn(name: "tutti-clock", priority: 10) { self.loop() }
        } catch {
            throw .system(error.description)
        }
    }

    /// Epochs stay below 2^50 ns (13 days), so that group times stay exact in any JSON reader for years.
    private static let maximumEpoch: Int64 = 1 << 50

    /// The group time now.
    func now() -> GroupTime {
        let host = hostClock.now()
        return responder.withLock { $0.groupTime(at: host) }
    }

    /// Ends the thread.
    func stop() {
        isStopping.store(true, ordering: .relaxed)
        socket.wake()
    }

    private func loop() {
        while !isStopping.load(ordering: .relaxed) {
            for event in socket.receive(timeoutNanoseconds: -1) {
                switch event {
                case .transmitted(let key, let time): responder.withLock { $0.transmitted(key: key, at: time) }
                case .datagram(let bytes, let peer, let time, _): answer(bytes, from: peer, at: time)
                }
            }
        }
    }

    private func answer(_ bytes: [UInt8], from peer: SocketAddress, at time: HostTime) {
        let key = UInt64(truncatingIfNeeded: peer.hashValue)
        let now = hostClock.now()
        guard let reply = responder.withLock({ $0.received(bytes, from: key, at: time, now: now) }) else { return }
        let stamp = socket.send(reply.bytes, to: peer)
        if stamp.isSent { responder.withLock { $0.sent(token: reply.token, key: stamp.key) } }
    }
}
