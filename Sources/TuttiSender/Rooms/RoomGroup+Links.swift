import NIOCore
import TuttiCore
import TuttiWire

/// Links that carry less than the programme, or only small packets.
///
/// A room whose link is too slow gets thinner packets of the same sound at the same places; the others are not touched. What waits
/// in its connections would be in the way, so they are made anew: the room goes on from what it holds.
extension RoomGroup {
    /// Bits a second of Opus for slow links.
    private static let thinBitrates = [128_000, 64_000]
    /// What is thinner has to be thinner by as much to be worth it.
    private static let worthwhile = 0.75
    /// Seconds that a room has to hold for the whole programme to be tried again: time to find out, and to turn back.
    private static let reserve = 60.0

    /// Looks how a room's link does, whenever the room tells how it is.
    func watchLink(of room: Room, _ status: SpeakerStatus) {
        guard room.isUp, let media = room.media, !room.session.isFlushing else {
            room.care.watch = LinkWatch()
            return
        }
        let end = status.loaded.last?.last ?? 0
        let look = LinkWatch.Look(
            now: now, end: end, lead: max(0, end - position.seconds), isCrowded: !media.isWritable)
        switch room.care.watch.take(look) {
        case .fine: break
        case .tooSlow(let rate): thin(room, rate)
        case .stuck: shorten(room)
        }
    }

    // MARK: Slow

    private func thin(_ room: Room, _ rate: Double) {
        let share = Int(rate * 100)
        guard let bitrate = thinnerBitrate(for: room) else {
            if !room.care.isSaidSlow {
                let message =
                    "its link carries \(share) % of what it gets, and there is nothing thinner: it will have gaps"
                report(.room(name: room.label, state: "slow", message: message))
            }
            room.care.isSaidSlow = true
            return
        }
        room.care.thin(to: bitrate, capacity: rate * presentBitrate(of: room), now: now)
        let message = "its link carries \(share) % of what it gets; Opus at \(bitrate / 1000) kb/s instead"
        report(.room(name: room.label, state: "thinner", message: message))
        reconnect(room)
    }

    /// Bits a second of what a room can have that is thinner than what it gets; nil when there is nothing.
    private func thinnerBitrate(for room: Room) -> Int? {
        guard host.thinsPackets, !isGuest, configuration.parts.isEmpty, let welcome = room.session.welcome,
            welcome.codecs.contains(AudioFormat.Codec.opus.rawValue)
        else { return nil }
        let present = presentBitrate(of: room)
        return Self.thinBitrates.first { Double($0) < present * Self.worthwhile }
    }

    /// Bits a second of what a room gets.
    private func presentBitrate(of room: Room) -> Double {
        if let bitrate = room.care.thinBitrate { return Double(bitrate) }
        let log = log(of: room)
        guard let start = log.start, let end = log.end, end > start else { return 0 }
        return Double(log.byteCount) * 8 / (end - start).seconds
    }

    /// Rooms on thin rations that hold plenty get the whole programme again, to see whether their links carry it by now.
    func reviewThinRooms() {
        for room in rooms where room.isUp && room.care.thinBitrate != nil && room.care.nextTrial <= now {
            guard !room.session.isFlushing, let welcome = room.session.welcome, let cursor = room.cursor,
                let held = room.status?.loaded.last?.last, held - position.seconds >= Self.reserve
            else { continue }
            let log = log(of: room)
            guard let next = log[cursor]?.buffer.presentationTime ?? log.end else { continue }
            room.care.restore()
            if let media = room.media { TCPTransport.setPace(nil, of: media) }
            choose(for: room, welcome)
            (room.cursor, room.resumeAt) = (nil, next)
            report(.room(name: room.label, state: "whole", message: "gets the whole programme again, on trial"))
            feed(room)
        }
    }

    // MARK: Small packets only

    private func shorten(_ room: Room) {
        let reason = "nothing of what is sent arrives"
        guard !room.care.hasShortSegments else { return lose(room, reason: reason) }
        room.care.hasShortSegments = true
        let message = "\(reason), as where large packets get lost; going on with small ones"
        report(.room(name: room.label, state: "narrow", message: message))
        reconnect(room)
    }

    /// Makes a room's connections anew at once; what waits in them is not sent any more.
    private func reconnect(_ room: Room) {
        if let media = room.media { TCPTransport.abandon(media) }
        close(room)
        connect(room)
    }
}
