import NIOCore
import TuttiCore
import TuttiSchema
import TuttiWire

/// A Tutti speaker as its group's owner sees it.
extension Room: GroupRoom {
    var label: String { address.name.isEmpty ? session.welcome?.name ?? address.label : address.name }

    var isAnswering: Bool { link == .welcomed || link == .connecting && control != nil }

    var lastHeard: HostTime { session.lastHeard }

    var playback: RoomStatus.State? { status.map { RoomStatus.State($0.state) } }

    var loaded: [TimeRange] { status?.loaded.ranges ?? [] }

    var bufferSeconds: Double? { session.welcome?.bufferSeconds }

    var isFlushing: Bool { session.isFlushing }

    var isOutdated: Bool { feed.isOutdated }

    var isClockSettled: Bool { group.isClockSettled(of: self) }

    func setLoudness(_ level: VolumeCommand, balance: Double?) {
        loudness.balance = balance
        group.setLoudness(level, of: self)
    }

    func setOutputDelay(_ milliseconds: Double) { group.setOutputDelay(milliseconds, of: self) }

    func setName(_ name: String) throws(SenderError) { try group.setName(name, of: self) }

    func takeOver() { group.claim(self) }

    var known: KnownPlayback? {
        session.welcome.map {
            KnownPlayback(playhead: $0.timebase.map(Playhead.init), timescale: $0.clock?.timescale)
        }
    }

    var kept: [TimeRange] { group.kept(in: self) }

    func takeUp(knownEnd end: MediaTime?) {
        if let welcome = session.welcome { group.takeUp(self, welcome, knownEnd: end) }
    }

    var record: StoredRoom { StoredRoom(self) }

    var traffic: RoomTraffic {
        var traffic = RoomTraffic()
        traffic.generation = session.generation
        (traffic.sentBytes, traffic.grantedBytes) = (session.sentBytes, session.credit?.bytes ?? 0)
        return traffic
    }
}
