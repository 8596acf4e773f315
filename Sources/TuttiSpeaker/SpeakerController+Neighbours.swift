import Logging
import Synchronization
import TuttiCore
package import TuttiDiscovery
import TuttiHost
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiTrust
import TuttiWire

/// The clock while nobody plays: kept with the other speakers that are seen on the network, so that no rooms meet for
/// the first time when the music starts.
extension SpeakerController {
    /// The other speakers, as they are seen now.
    ///
    /// - Parameter isComplete: whether all that are there have been told.
    package func noteNeighbours(_ speakers: [DiscoveredSpeaker], isComplete: Bool) {
        let others = speakers.filter { $0.id != memory.state.id && isOurs($0) }.compactMap(ClockNeighbour.init)
        review.note(others, isComplete: isComplete, now: clock.now())
    }

    /// Whether a speaker is one to share a clock with: of the same household, as its record shows, or nobody's as this
    /// one is. Others would not answer, and anybody can say anything by mDNS.
    private func isOurs(_ speaker: DiscoveredSpeaker) -> Bool {
        guard let clock = speaker.clock else { return false }
        guard let keys = trust?.timeKeys else { return clock.mark.isEmpty }
        return keys.accepts(clock.mark, on: clock.text(of: speaker.id))
    }

    /// Whether nothing is played and nobody is here who might.
    private var isIdle: Bool {
        occupied.isEmpty && !device.isInUse(now: clock.now())
            && streams.owner.state.withLock { $0.timebase == nil }
    }

    /// Sees to it that the clock is shared with the neighbours, while there is nobody who says with whom.
    func reviewClock(now: HostTime) {
        let isIdle = isIdle
        groupClock.setIdle(isIdle)
        guard isIdle, let decision = review.decision(part: part, known: groupClock.acquaintances, now: now) else {
            return
        }
        switch decision {
        case .stay: if review.isSaveDue(now: now), groupClock.standing != nil { rememberClock() }
        case .lead:
            let timescale = groupClock.lead()
            let id = memory.state.id
            _ = membership.follow(
                ClockAnnouncement(timescale: timescale, origin: id, leaderID: id, leaderPort: groupClock.port))
            logger.info("leading the group clock")
        case .join(let order): follow(announcement(of: order), peer: nil)
        }
    }

    /// Takes the clock of somebody who only looks: where nobody plays, and neither this speaker nor its neighbours know
    /// one.
    func takeIdly(_ clock: ClockAnnouncement, from connection: ConnectionID) {
        let part = part
        guard isIdle, part.map({ !review.isShared($0) }) ?? true, clock.timescale != part?.timescale else { return }
        follow(clock, from: connection)
    }

    /// The clock that is known well enough to be passed on.
    private var part: ClockNeighbour.Part? {
        guard let standing = groupClock.standing else { return nil }
        return ClockNeighbour.Part(
            timescale: standing.timescale, origin: membership.origin(of: standing.timescale) ?? "",
            isLeading: standing.parent == nil)
    }

    private func announcement(of order: ClockCircle.Order) -> ClockAnnouncement {
        let own = ClockAnnouncement.StandIn(id: memory.state.id, host: "", port: groupClock.port)
        var members = order.parents.map(ClockAnnouncement.StandIn.init)
        members.append(own)
        members += order.behind.map(ClockAnnouncement.StandIn.init)
        let first = members.removeFirst()
        return ClockAnnouncement(
            timescale: order.timescale, origin: order.origin, leaderID: first.id, leaderHost: first.host,
            leaderPort: first.port, standIns: members)
    }

    // MARK: What the others hear

    /// What is made known of this speaker's part in a clock.
    private var clockToAnnounce: SpeakerClock {
        let part = part
        var clock = SpeakerClock(
            port: groupClock.port, isWireless: review.isWireless, timescale: part?.timescale.rawValue,
            origin: part?.origin ?? "", isLeading: part?.isLeading ?? false)
        clock.mark = trust?.timeKeys?.mark(clock.text(of: memory.state.id)) ?? ""
        return clock
    }

    /// Tells the network of this speaker's part, if that has changed.
    func announcePart() {
        guard let onClockChange else { return }
        let clock = clockToAnnounce
        if membership.publish(clock) { onClockChange(clock) }
    }
}

extension ClockNeighbour {
    /// A speaker on the network that takes part in clocks.
    init?(_ speaker: DiscoveredSpeaker) {
        guard !speaker.id.isEmpty, let clock = speaker.clock,
            let address = speaker.addresses.lazy.compactMap({ SocketAddress(numericHost: $0, port: clock.port) }).first
        else { return nil }
        let part = clock.timescale.map {
            Part(timescale: TimescaleID(rawValue: $0), origin: clock.origin, isLeading: clock.isLeading)
        }
        self.init(id: speaker.id, address: address, isWireless: clock.isWireless, part: part)
    }
}

extension ClockAnnouncement.StandIn {
    fileprivate init(_ neighbour: ClockNeighbour) {
        self.init(id: neighbour.id, host: neighbour.address.host, port: neighbour.address.port)
    }
}
