import Logging
import NIOCore
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiRendering
import TuttiTiming
import TuttiWire

/// The speaker as a member of a group clock.
extension SpeakerController {
    /// How far a crystal's rate wanders from one evening to the next, in ppm (one standard deviation).
    private static let wander = 0.5

    /// The clock that is known already, for a sender that comes: it is kept warm when nobody plays.
    var knownClock: KnownClock? {
        guard let standing = groupClock.standing, let announcement, announcement.timescale == standing.timescale,
            let now = groupClock.now(), now.timescale == standing.timescale
        else { return nil }
        let isAlone = standing.parent == nil
        return KnownClock(
            timescale: standing.timescale, time: now.nanoseconds, origin: announcement.origin,
            leaderID: isAlone ? state.id : announcement.leaderID)
    }

    /// Takes the order of those who share the clock, which the host at the other end of `connection` sends.
    func follow(_ announcement: ClockAnnouncement, from connection: ConnectionID) {
        var announcement = announcement
        if announcement.origin.isEmpty { announcement.origin = session.senderID ?? "" }
        follow(announcement, peer: channels[connection]?.remoteAddress?.ipAddress)
    }

    /// Takes an order.
    ///
    /// - Parameter peer: the host that sends it; nil where this one has made it.
    func follow(_ announcement: ClockAnnouncement, peer: String?) {
        let isNews = announcement.timescale != self.announcement?.timescale
        if isNews { renderer.counters.clockSince.store(clock.now().nanoseconds, ordering: .relaxed) }
        self.announcement = announcement
        let isLeader = announcement.leaderID == state.id
        let standIns = announcement.standIns
        let leader = (announcement.leaderHost ?? peer).flatMap { address($0, announcement.leaderPort, peer: peer) }
        // One that is named nowhere stands behind all others.
        let place = isLeader ? 0 : standIns.firstIndex { $0.id == state.id } ?? standIns.count
        let parents =
            (isLeader ? [] : [leader].compactMap(\.self)) + standIns[..<place].compactMap { address($0, peer: peer) }
        // The sender may be the only one that knows where some of the others are.
        let sender = peer.flatMap { peer in announcement.senderPort.flatMap { address(peer, $0, peer: peer) } }
        let behind =
            standIns[place...].filter { $0.id != state.id }.compactMap { address($0, peer: peer) }
            + [sender].compactMap(\.self)
        if parents.isEmpty, !isLeader {
            logger.warning(
                "the clock's leader has no address", metadata: ["leader": "\(announcement.leaderHost ?? "nobody")"])
        }
        let remembered = state.leaders[announcement.origin].map { ($0.ppm, max($0.sigma, Self.wander)) }
        groupClock.follow(
            announcement.timescale, parents: parents, behind: behind, rememberedDriftPpm: remembered)
        guard isNews else { return }
        if groupClock.standing.map({ $0.parent == nil }) ?? isLeader {
            logger.info("leading the group clock")
        } else {
            let asked = groupClock.standing?.parent ?? parents.first
            logger.info("following the group clock", metadata: ["member": "\(asked?.description ?? "nobody")"])
        }
    }

    /// Tells when another member than before is asked for the same time.
    func noteParent() {
        let standing = groupClock.standing
        defer { lastStanding = standing }
        if standing != lastStanding { announcePart() }
        guard let standing, let before = lastStanding, before.timescale == standing.timescale,
            before.parent != standing.parent
        else { return }
        if let parent = standing.parent {
            logger.info("asking another member for the time", metadata: ["member": "\(parent)"])
        } else {
            logger.info("leading the group clock: no other member is left")
        }
    }

    private func address(_ standIn: ClockAnnouncement.StandIn, peer: String?) -> TuttiHost.SocketAddress? {
        address(standIn.host, standIn.port, peer: peer)
    }

    /// A loopback address is the sender's own host, which is elsewhere when the sender is. Names are not looked up: that
    /// could take seconds.
    private func address(_ host: String, _ port: UInt16, peer: String?) -> TuttiHost.SocketAddress? {
        let isLoopback = host.hasPrefix("127.") || host == "::1"
        let host = isLoopback ? peer ?? host : host
        guard let bare = host.split(separator: "%").first,
            (try? NIOCore.SocketAddress(ipAddress: String(bare), port: Int(port))) != nil
        else { return nil }
        return TuttiHost.SocketAddress(host: host, port: port)
    }

    /// Remembers how fast the clock ran against this host's, for the next one of the same origin.
    func rememberClock() {
        guard let announcement, let clock = groupClock.statistics, let ppm = clock.driftPpm,
            let sigma = clock.driftSigmaPpm, groupClock.standing?.parent != nil
        else { return }
        state.remember(RememberedRate(ppm: ppm, sigma: sigma), of: announcement.origin, in: \.leaders)
    }

    /// Remembers the clock itself, for this speaker's next process.
    func rememberLine() {
        guard !configuration.isPrivate, let boot = clock.boot, let line = groupClock.estimates.read(),
            let announcement, announcement.timescale == line.timescale
        else { return }
        state.clock = RememberedClock(
            line, origin: announcement.origin, others: groupClock.acquaintances, boot: boot,
            slept: clock.slept().upperBound)
    }

    /// Goes on with the clock that this speaker's last process knew.
    func resumeClock() {
        guard !configuration.isPrivate, let known = state.clock,
            let line = known.line(boot: clock.boot, slept: clock.slept(), now: clock.now())
        else { return }
        announcement = ClockAnnouncement(
            timescale: line.timescale, origin: known.origin, leaderPort: groupClock.port)
        groupClock.resume(line, with: known.addresses)
        logger.info("keeping the group clock")
    }
}
