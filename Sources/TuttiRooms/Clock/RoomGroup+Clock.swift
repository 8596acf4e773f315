import NIOCore
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiSchema
import TuttiTiming
import TuttiWire

/// The group's clock: this sender begins one, or joins the one that the rooms share already.
///
/// Rooms that have played together keep their clock warm among themselves, which is worth more than any new one. So a
/// sender that finds such a room joins its clock before the first sound, and follows like everybody else. It tells all
/// who the others are; who leads is found among them.
extension RoomGroup {
    /// Standard deviation of a clock as it stands in a welcome, ns: the time that the message took.
    private static let welcomeSigma = 5e6
    /// How long rooms that come together are waited for before all are told of each other.
    private static let announcementDelay = TimeAmount.milliseconds(100)
    /// A room stands in for one whose link is worse by this factor.
    private static let betterLink = 1.3

    // MARK: Agreement

    /// Joins the clock that a room knows if there is a choice still, and tells the room which one it is.
    func agreeOnClock(with room: Room, _ welcome: Welcome) {
        if let known = welcome.clock, !hasStarted, !configuration.alwaysLeads, room.clock.address != nil {
            let isKeeper = known.leaderID == welcome.id
            if plan.leader == nil {
                // A room that comes back may know no other clock than this one.
                if known.timescale != plan.timescale { join(known, through: room) }
            } else if known.timescale == plan.timescale, isKeeper, plan.leader != room.number {
                lead(through: room)
            }
        }
        if isOverlay { enterClock(of: room, welcome) }
        enterOrder(room)
        announceClock(to: room, clockOrder)
        // Everybody has to know where the others are.
        announceClockSoon()
        tellReference(to: room)
        carryOut(room.session.send(.timebase(command(for: room)), now: now), in: room)
    }

    private func join(_ known: KnownClock, through room: Room) {
        guard let address = room.clock.address else { return }
        plan.join(known.timescale, origin: known.origin, leader: room.number)
        clock.follow(known.timescale, parents: [address], startingFrom: estimate(of: known))
        orderStandIns()
        announceClock()
        move(Playhead(rate: 0, media: playhead.media, group: groupNow))
    }

    /// A clock as it stands in a welcome that has just come.
    func estimate(of known: KnownClock) -> ClockEstimate {
        ClockEstimate(
            timescale: known.timescale, referenceHost: now, offset: known.time &- now.nanoseconds, drift: 0,
            offsetSigma: Self.welcomeSigma, driftSigma: 100e-6)
    }

    /// Another room is to be asked first.
    private func lead(through room: Room) {
        plan.leader = room.number
        orderStandIns()
        announceClock()
    }

    /// The room that was to be asked first is gone: the first that stands in for it is.
    func replaceClockRoom(lost room: Room) {
        guard !isLeaving, plan.leader == room.number,
            let next = plan.standIns.lazy.compactMap({ self.room($0) }).first(where: \.isUp)
        else { return }
        lead(through: next)
    }

    /// This host led, and has slept: the rooms have gone on without it, and one of them leads now.
    func rejoinClock() {
        guard clock.isLost, let room = rooms.first(where: { $0.isUp && $0.clock.address != nil && $0.clock.own == nil })
        else { return }
        lead(through: room)
    }

    /// A room is none of this group any more.
    func leaveOrder(of room: Room) {
        let wasLeader = plan.leader == room.number
        replaceClockRoom(lost: room)
        // Nobody else can: this host is asked, and asks the room for as long as that knows the clock.
        if wasLeader, plan.leader == room.number { plan.leader = nil }
        orderStandIns()
        announceClock()
    }

    /// A room stands in after all others. Where it is named to nobody, the next review gives it its place: sorting all
    /// for each room that comes would take the time of many rooms squared.
    private func enterOrder(_ room: Room) {
        guard plan.standIns.count > ClockOrder.listed, room.clock.address != nil, room.clock.own == nil,
            room.number != plan.leader, !plan.standIns.prefix(ClockOrder.listed).contains(room.number)
        else {
            orderStandIns()
            return
        }
        if !plan.standIns.contains(room.number) { plan.standIns.append(room.number) }
    }

    /// Lets rooms with good links stand in first; their ranks change only for a clear gain.
    ///
    /// - Returns: whether it has changed.
    @discardableResult
    private func orderStandIns() -> Bool {
        let able = rooms.filter { $0.clock.address != nil && $0.clock.own == nil && $0.number != plan.leader }
        let sorted = able.map { (Self.roundTrip($0), $0.number) }.sorted { $0 < $1 }.map { $0.1 }
        let isComplete = sorted.count == plan.standIns.count && Set(sorted) == Set(plan.standIns)
        if isComplete, let first = sorted.first.flatMap({ room($0) }),
            let present = plan.standIns.first.flatMap({ room($0) }),
            Self.roundTrip(first) * Self.betterLink > Self.roundTrip(present)
        {
            return false
        }
        defer { plan.standIns = sorted }
        return sorted != plan.standIns
    }

    private static func roundTrip(_ room: Room) -> Double { room.status?.rttUs ?? 1e9 }

    /// Now and then: links turn out better or worse than thought.
    func reviewStandIns() {
        if orderStandIns() { announceClock() }
    }

    // MARK: Announcements

    /// Tells all rooms who shares the clock, unless they know.
    private func announceClock() {
        plan.check()
        let order = clockOrder
        let members = order.members.compactMap { TuttiHost.SocketAddress(host: $0.host, port: $0.port) }
        let isLeader = plan.leader == nil
        clock.follow(plan.timescale, parents: isLeader ? [] : members, behind: isLeader ? members : [])
        plan.announced = order
        for room in rooms where room.link == .welcomed || room.isUp { announceClock(to: room, order) }
    }

    /// The same in a moment: rooms that come together need not each be told of each.
    private func announceClockSoon() {
        guard !plan.isAnnouncementDue, plan.announced != clockOrder else { return }
        plan.isAnnouncementDue = true
        let group = bound
        loop.scheduleTask(in: Self.announcementDelay) {
            group.value.plan.isAnnouncementDue = false
            if !group.value.isLeaving { group.value.announceClock() }
        }
    }

    private func announceClock(to room: Room, _ order: ClockOrder) {
        guard let id = room.session.welcome?.id, !(isOverlay && room.session.welcome?.clock != nil) else { return }
        let announcement = order.announcement(to: id, number: room.number)
        guard announcement != room.clock.told else { return }
        room.clock.told = announcement
        carryOut(room.session.send(.clock(announcement), now: now), in: room)
    }

    /// Where the rooms that share the clock are, best first, as far as others are told of them.
    private var clockOrder: ClockOrder {
        let leader = plan.leader.flatMap { self.room($0) }.flatMap(standIn)
        return ClockOrder(
            timescale: plan.timescale, origin: plan.origin,
            leader: leader.map { .room($0, senderPort: clock.port) } ?? .sender(port: clock.port),
            standIns: Array(
                plan.standIns.lazy.compactMap { self.room($0).flatMap(self.standIn) }.prefix(ClockOrder.listed)))
    }

    private func standIn(_ room: Room) -> ClockAnnouncement.StandIn? {
        guard let address = room.clock.address, let id = room.session.welcome?.id else { return nil }
        return ClockAnnouncement.StandIn(id: id, host: address.host, port: address.port)
    }
}

extension Room {
    /// The speaker has answered: finds where it can be asked for the time.
    func findClock(_ welcome: Welcome) {
        clock.address = welcome.clockPort.flatMap { port in
            control?.remoteAddress?.ipAddress.flatMap { TuttiHost.SocketAddress(numericHost: $0, port: port) }
        }
    }
}
