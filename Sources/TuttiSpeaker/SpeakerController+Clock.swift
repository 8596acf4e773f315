import Logging
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
        guard let standing = groupClock.standing, let announcement = membership.announcement,
            announcement.timescale == standing.timescale,
            let now = groupClock.now(), now.timescale == standing.timescale
        else { return nil }
        let isAlone = standing.parent == nil
        return KnownClock(
            timescale: standing.timescale, time: now.nanoseconds, origin: announcement.origin,
            leaderID: isAlone ? memory.state.id : announcement.leaderID)
    }

    /// Follows the owner's clock, and an overlay's if the room has no other.
    func take(_ announcement: ClockAnnouncement, from connection: ConnectionID, at slot: Slot) {
        let reception = membership.receive(
            announcement, from: slot, isAlone: occupied == [slot], hasClock: groupClock.standing != nil)
        switch reception {
        case .follow: follow(announcement, from: connection)
        case .followAndDismissOverlays:
            follow(announcement, from: connection)
            for overlay in session.overlays { dismiss(.overlay(overlay)) }
        case .dismiss: dismiss(slot)
        case .ignore: break
        }
    }

    private func dismiss(_ overlay: Slot) {
        let message = "the room has just switched to another clock"
        perform(session.dismiss(overlay, code: ControlMessage.FailureCode.busy, message: message))
    }

    /// Takes the members of a clock, which the host at the other end of `connection` sends.
    func follow(_ announcement: ClockAnnouncement, from connection: ConnectionID) {
        var announcement = announcement
        if announcement.origin.isEmpty { announcement.origin = session.senderID ?? "" }
        follow(announcement, peer: connections.host(of: connection))
    }

    /// Takes the members of a clock.
    ///
    /// - Parameter peer: the host that sends them; nil where this one has found them.
    func follow(_ announcement: ClockAnnouncement, peer: String?) {
        let isNew = membership.follow(announcement)
        if isNew { renderer.counters.clockSince.store(clock.now().nanoseconds, ordering: .relaxed) }
        let route = ClockRoute(announcement, id: memory.state.id, peer: peer)
        if route.parents.isEmpty, !route.isLeader {
            logger.warning(
                "the clock's leader has no address", metadata: ["leader": "\(announcement.leaderHost ?? "nobody")"])
        }
        let remembered = memory.state.leaders[announcement.origin].map { ($0.ppm, max($0.sigma, Self.wander)) }
        groupClock.follow(
            announcement.timescale, parents: route.parents, behind: route.behind, rememberedDriftPpm: remembered)
        guard isNew else { return }
        if groupClock.standing.map({ $0.parent == nil }) ?? route.isLeader {
            logger.info("leading the group clock")
        } else {
            let asked = groupClock.standing?.parent ?? route.parents.first
            logger.info("following the group clock", metadata: ["member": "\(asked?.description ?? "nobody")"])
        }
    }

    /// Tells when another member than before is asked for the same time.
    func noteParent() {
        let standing = groupClock.standing
        let (isNew, asksAnother) = membership.note(standing)
        if isNew { announcePart() }
        guard asksAnother else { return }
        if let parent = standing?.parent {
            logger.info("asking another member for the time", metadata: ["member": "\(parent)"])
        } else {
            logger.info("leading the group clock: no other member is left")
        }
    }
}
