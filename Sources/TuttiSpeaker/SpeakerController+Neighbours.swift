import Logging
import Synchronization
import TuttiCore
package import TuttiDiscovery
import TuttiHost
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiWire

/// The clock while nobody plays: kept with the other speakers that are seen on the network, so that no rooms meet for the first time when
/// the music starts.
extension SpeakerController {
    /// Nanoseconds between two looks at who is there.
    private static let reviewInterval: Int64 = 1_000_000_000
    /// Nanoseconds after which what is known of the clock is written down, though nothing has been played: disks are to be spared.
    private static let lineInterval: Int64 = 900_000_000_000

    /// The other speakers, as they are seen now.
    ///
    /// - Parameter isComplete: whether all that are there have been told.
    package func noteNeighbours(_ speakers: [DiscoveredSpeaker], isComplete: Bool) {
        neighbours = speakers.filter { $0.id != state.id }.compactMap(ClockNeighbour.init)
        if isComplete, neighboursSince == nil { neighboursSince = clock.now() }
    }

    /// Whether nothing is played and nobody is here who might.
    private var isIdle: Bool {
        occupied.isEmpty && !renderer.counters.isWanted.load(ordering: .relaxed)
            && stream.state.withLock { $0.timebase == nil }
    }

    /// Sees to it that the clock is shared with the neighbours, while there is nobody who says with whom.
    func reviewClock(now: HostTime) {
        let isIdle = isIdle
        groupClock.setIdle(isIdle)
        guard isIdle, let since = neighboursSince, nextReview.map({ $0 <= now }) ?? true else { return }
        nextReview = now.advanced(byNanoseconds: Self.reviewInterval)
        let decision = ClockCircle(id: state.id, isWireless: isWireless).decision(
            part: part, known: Set(groupClock.acquaintances), neighbours: neighbours,
            waited: now.nanoseconds(since: since))
        switch decision {
        case .stay: rememberLineSometimes(now: now)
        case .lead:
            let timescale = groupClock.lead()
            announcement = ClockAnnouncement(
                timescale: timescale, origin: state.id, leaderID: state.id, leaderPort: groupClock.port)
            logger.info("leading the group clock")
        case .join(let order): follow(announcement(of: order), peer: nil)
        }
    }

    /// Takes the order of a clock from somebody who only looks: where nobody plays, and neither this speaker nor its neighbours know one.
    func takeIdly(_ clock: ClockAnnouncement, from connection: ConnectionID) {
        let isShared = part.map { own in neighbours.contains { $0.part?.timescale == own.timescale } } ?? false
        guard isIdle, !isShared, clock.timescale != part?.timescale else { return }
        follow(clock, from: connection)
    }

    /// The clock that is known well enough to be passed on.
    private var part: ClockNeighbour.Part? {
        guard let standing = groupClock.standing else { return nil }
        let origin = announcement.flatMap { $0.timescale == standing.timescale ? $0.origin : nil } ?? ""
        return ClockNeighbour.Part(
            timescale: standing.timescale, origin: origin, isLeading: standing.parent == nil)
    }

    private func announcement(of order: ClockCircle.Order) -> ClockAnnouncement {
        let own = ClockAnnouncement.StandIn(id: state.id, host: "", port: groupClock.port)
        var members = order.parents.map(ClockAnnouncement.StandIn.init)
        members.append(own)
        members += order.behind.map(ClockAnnouncement.StandIn.init)
        let first = members.removeFirst()
        return ClockAnnouncement(
            timescale: order.timescale, origin: order.origin, leaderID: first.id, leaderHost: first.host,
            leaderPort: first.port, standIns: members)
    }

    private func rememberLineSometimes(now: HostTime) {
        let isDue = lineDue.map { $0 <= now } ?? false
        if isDue || lineDue == nil { lineDue = now.advanced(byNanoseconds: Self.lineInterval) }
        guard isDue, groupClock.standing != nil else { return }
        rememberLine()
        saveState()
    }

    // MARK: What the others hear

    /// What is made known of this speaker's part in a clock.
    package var clockToAnnounce: SpeakerClock {
        let part = part
        return SpeakerClock(
            port: groupClock.port, isWireless: isWireless, timescale: part?.timescale.rawValue,
            origin: part?.origin ?? "", isLeading: part?.isLeading ?? false)
    }

    /// Tells the network of this speaker's part, if that has changed.
    func announcePart() {
        let clock = clockToAnnounce
        guard clock != announcedClock else { return }
        announcedClock = clock
        onClockChange?(clock)
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
