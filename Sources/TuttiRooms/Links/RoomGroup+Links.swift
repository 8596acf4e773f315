import NIOCore
import TuttiCore
import TuttiSchema
import TuttiWire

/// Links that carry less than the timeline, or only small packets.
///
/// A room whose link is too slow gets thinner packets of the same sound at the same places; the others are not touched.
/// What waits in its connections would be in the way, so they are made again: the room plays on from its buffer.
extension RoomGroup {
    /// Bits a second of Opus for slow links.
    private static let thinBitrates = [128_000, 64_000]
    /// What is thinner has to be thinner by as much to be worth it.
    private static let worthwhile = 0.75
    /// Nanoseconds in which a link that carries anything has carried a segment.
    private static let progress: Int64 = 1_000_000_000
    /// Seconds that a room has to buffer for the whole timeline to be tried again, where its link has been found to
    /// carry that and where not: time to find out, and to turn back.
    private static let reserve = (proven: 10.0, unproven: 60.0)
    /// Nanoseconds between two looks at links while rooms load, and for each room that there is.
    private static let (loadingInterval, loadingTime) = (Int64(10_000_000), Int64(200_000))
    /// The share by which a pace changes at least.
    private static let paceStep = 0.01

    /// Looks how a room's link does, whenever the room tells how it is.
    func watchLink(of room: Room, _ status: SpeakerStatus) {
        guard room.isUp, let media = room.media, !room.session.isFlushing else {
            room.care.watch = LinkWatch()
            return
        }
        let end = status.loaded.end?.seconds ?? 0
        let look = LinkWatch.Look(
            now: now, end: end, lead: max(0, end - position.seconds),
            isCrowded: !media.isWritable && !room.care.isHeldBack)
        switch room.care.watch.take(look) {
        case .fine: break
        // Of what many get at once one link tells nothing.
        case .tooSlow where isBeginning: break
        case .tooSlow(let rate): thin(room, rate)
        // What is long on a slow link is on its way all the same.
        case .stuck where room.care.link.hasArrived(within: Self.progress, now: now): break
        case .stuck: shorten(room)
        }
    }

    // MARK: Queues

    /// Looks again and again at links on which something waits to be sent, until nothing does.
    func watchLoading() {
        guard !isWatchingLoading else { return }
        isWatchingLoading = true
        let group = bound
        loop.scheduleTask(in: loadingInterval) {
            group.value.isWatchingLoading = false
            group.value.watchQueues(ofAll: false)
            if !group.value.isLeaving, group.value.rooms.contains(where: \.feed.isLoading) {
                group.value.watchLoading()
            }
        }
    }

    /// Looks take time, too: for many rooms they are more seldom.
    private var loadingInterval: TimeAmount {
        .nanoseconds(max(Self.loadingInterval, Self.loadingTime * Int64(rooms.count { $0.feed.mayQueue })))
    }

    /// Looks what waits on the links of the rooms.
    ///
    /// - Parameter ofAll: whether those count too that had nothing waiting and were sent nothing since: what is known
    ///   of their links grows old.
    func watchQueues(ofAll: Bool) {
        let watched = rooms.filter { $0.isUp && (ofAll || $0.feed.mayQueue) }
        guard !watched.isEmpty else { return }
        let others = otherRooms
        for room in watched {
            guard let media = room.media else { continue }
            guard !room.care.isHeldBack else {
                room.care.link.heldBack()
                continue
            }
            let (number, attempt, group) = (room.number, room.attempt, bound)
            host.transport.look(at: media, pace: room.care.pace, now: now)?.whenSuccess { look in
                guard let room = group.value.room(number), room.attempt == attempt else { return }
                let needed = LinkCare.needed(
                    bitrate: group.value.presentBitrate(of: room), isBeginning: group.value.isBeginning)
                room.care.link.take(look, besides: others, needed: needed)
                room.feed.mayQueue = look.isCrowded || room.feed.isLoading
            }
        }
        // Whoever shares a link with others has something waiting there, and is among these.
        shareLinks(of: watched)
        for room in watched where room.isUp { keepPace(of: room) }
    }

    /// Rooms that load beside each.
    var otherRooms: Int { rooms.count { $0.isUp } - 1 }

    private func shareLinks(of sharing: [Room]) {
        var paces = sharing.map(\.care.link)
        LinkPace.share(&paces, now: now)
        for (room, pace) in zip(sharing, paces) { room.care.link = pace }
    }

    /// Sends a room no more than its link carries.
    func keepPace(of room: Room) {
        let lead = (room.status?.loaded.end).map { ($0 - position).seconds } ?? 0
        let allowance = room.care.allowance(
            bitrate: presentBitrate(of: room), acquaintance: room.acquaintance(lead: lead, now: now),
            isStalled: room.status?.state == .stalled, isBeginning: isBeginning)
        room.care.isHeldBack = allowance.isHeldBack
        let pace = allowance.pace
        guard let media = room.media, abs(pace - room.care.pace) > Self.paceStep * pace else { return }
        room.care.pace = pace
        host.transport.setPace(pace, of: media)
    }

    // MARK: Slow

    private func thin(_ room: Room, _ rate: Double) {
        let share = Int(rate * 100)
        guard let bitrate = thinnerBitrate(for: room) else {
            if !room.care.isSaidSlow {
                let message =
                    "its link carries only \(share) % of the data, even at the lowest bit rate; expect gaps"
                report(.room(name: room.label, .slow, message: message))
            }
            room.care.isSaidSlow = true
            return
        }
        let capacity = rate * presentBitrate(of: room)
        thin(room, to: bitrate, capacity: capacity, because: "its link carries only \(share) % of the data")
        reconnect(room)
    }

    /// - Parameter capacity: bits a second that its link carries.
    private func thin(_ room: Room, to bitrate: Int, capacity: Double, because reason: String) {
        room.care.thin(to: bitrate, capacity: capacity, now: now)
        let message = "\(reason); switching to Opus at \(bitrate / 1000) kb/s"
        report(.room(name: room.label, .thinner, message: message))
    }

    /// Bits a second of what a room can have that is thinner than what it gets; nil when there is nothing.
    private func thinnerBitrate(for room: Room) -> Int? {
        guard host.thinsPackets, !isOverlay, configuration.parts.isEmpty, let welcome = room.session.welcome,
            welcome.codecs.contains(AudioFormat.Codec.opus.rawValue)
        else { return nil }
        let present = presentBitrate(of: room)
        let thinner = Self.thinBitrates.filter { Double($0) < present * Self.worthwhile }
        return thinner.first { room.care.carries($0) } ?? thinner.last
    }

    /// A room that comes up over a link that is known to carry less than the timeline gets something thinner from the
    /// first packet on.
    func thinInAdvance(_ room: Room) {
        guard room.care.thinBitrate == nil, let capacity = room.care.link.capacity.map({ $0 * 8 }),
            capacity < bitrate(of: log), let bitrate = thinnerBitrate(for: room)
        else { return }
        thin(room, to: bitrate, capacity: capacity, because: "its link carries only \(Int(capacity / 1000)) kb/s")
    }

    /// Bits a second of what a room gets.
    private func presentBitrate(of room: Room) -> Double {
        if let bitrate = room.care.thinBitrate { return Double(bitrate) }
        return bitrate(of: log(of: room))
    }

    private func bitrate(of log: PacketLog) -> Double {
        guard let start = log.start, let end = log.end, end > start else { return 0 }
        return Double(log.byteCount * host.packetWeight) * 8 / (end - start).seconds
    }

    /// Rooms with a lower bit rate that buffer plenty get the whole timeline again, to see whether their links carry it
    /// by now.
    func reviewThinRooms() {
        let bitrate = bitrate(of: log)
        for room in rooms where room.isUp && room.care.thinBitrate != nil {
            let isProven = room.care.isProven(for: bitrate)
            let reserve = isProven ? Self.reserve.proven : Self.reserve.unproven
            guard (isProven ? room.care.nextProvenTrial : room.care.nextTrial) <= now, !room.session.isFlushing,
                let welcome = room.session.welcome, let cursor = room.feed.cursor,
                let held = room.status?.loaded.end, (held - position).seconds >= reserve
            else { continue }
            let log = log(of: room)
            guard let next = log[cursor]?.buffer.presentationTime ?? log.end else { continue }
            room.care.restore(isProven: isProven, besides: otherRooms)
            keepPace(of: room)
            choose(for: room, welcome)
            room.feed.begin(at: next)
            report(.room(name: room.label, .whole, message: "trying full quality again"))
            feed(room)
        }
    }

    // MARK: Small packets only

    private func shorten(_ room: Room) {
        let reason = "no data arrives at the speaker"
        guard !room.care.hasShortSegments else { return lose(room, reason: reason) }
        room.care.hasShortSegments = true
        let message = "\(reason), perhaps because large packets get lost; switching to small ones"
        report(.room(name: room.label, .narrow, message: message))
        reconnect(room)
    }

    /// Makes a room's connections again at once; what waits in them is not sent any more.
    private func reconnect(_ room: Room) {
        if let media = room.media { TCPTransport.abandon(media) }
        close(room)
        connect(room)
    }
}
