import NIOCore
import TuttiCore
import TuttiSchema
import TuttiTiming
import TuttiWire

/// Speakers that have another address now, as when a lease was renewed.
///
/// mDNS knows it. Without mDNS it is likely to be who asks this host for the time from an address that is none of the
/// rooms': the speaker keeps asking, and its id tells whether it is the one.
extension RoomGroup {
    /// Nanoseconds since which somebody has asked for the time who is there.
    private static let presence: Int64 = 3_000_000_000
    /// Nanoseconds for which it is believed who answers at an address.
    private static let belief: Int64 = 600_000_000_000
    /// Nanoseconds between two searches of the network.
    private static let searchInterval: Int64 = 5_000_000_000

    /// A room that was here cannot be reached: the next attempt goes to where it may be.
    func lookElsewhere(for room: Room) {
        if room.care.guess != nil {
            goHome(room)
        } else if room.care.speaker != nil, let host = unknownHosts(for: room).first {
            room.care.asked[host] = now
            room.address.host = host
            room.care.guess = room.session
        }
        if let searched = room.care.searchedAt, now.nanoseconds(since: searched) < Self.searchInterval { return }
        room.care.searchedAt = now
        search(for: room)
    }

    /// A room is up: its address is right.
    func settle(_ room: Room) {
        guard let id = room.session.welcome?.id else { return }
        if let home = room.care.speaker?.home, home != room.address {
            let message = "now at \(room.address.endpoint)"
            report(.room(name: room.label, .moved, message: message))
        }
        room.care.speaker = (id, room.address)
        (room.care.guess, room.care.asked, room.care.lostSince, room.care.searchedAt) = (nil, [:], nil, nil)
    }

    /// Whether who answers is the speaker that was there, where the address is only a guess. If it is another of the
    /// rooms that is missed, that one is found.
    func isExpected(_ welcome: Welcome, in room: Room) -> Bool {
        guard room.care.guess != nil, welcome.id != room.care.speaker?.id else { return true }
        let place = room.address
        // Whoever is asked loses its connections for that, if it is another of the rooms: once is enough.
        if let host = place.host { answerers[host] = (welcome.id, now) }
        if let other = rooms.first(where: { $0.care.speaker?.id == welcome.id }), case .down = other.link {
            (other.address.host, other.address.port) = (place.host, place.port)
        }
        return false
    }

    /// The guess was wrong; the session is what it was before, for what has been said there was said by somebody else.
    private func goHome(_ room: Room) {
        if let session = room.care.guess { room.session = session }
        if let speaker = room.care.speaker { room.address = speaker.home }
        room.care.guess = nil
    }

    /// Hosts that ask this one for the time, are none of the rooms', and may be this room's.
    private func unknownHosts(for room: Room) -> [String] {
        let known = Set(
            (rooms + released).flatMap { [$0.control?.remoteAddress?.ipAddress, $0.address.host].compactMap(\.self) })
        return clock.hostsAsking(within: Self.presence).filter { host in
            guard !known.contains(host), room.care.mayAsk(host, now: now) else { return false }
            guard let answerer = answerers[host], now.nanoseconds(since: answerer.at) < Self.belief else { return true }
            return answerer.id == room.care.speaker?.id
        }
    }

    private func search(for room: Room) {
        let name = room.care.speaker?.id ?? room.address.name
        guard !name.isEmpty else { return }
        let (number, group) = (room.number, bound)
        findRooms([name]).whenSuccess { found in
            guard case .success(let place)? = found[name] else { return }
            if let room = group.value.room(number) { group.value.found(place, of: room) }
        }
    }

    private func found(_ place: RoomAddress, of room: Room) {
        guard !room.isUp, room.care.guess == nil else { return }
        (room.address.host, room.address.port) = (place.host, place.port)
    }
}
