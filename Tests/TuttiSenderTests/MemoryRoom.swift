import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiWire

/// A kind of room without speaker and connection: it is as it is set, and remembers what it is told.
final class MemoryRoom: GroupRoom {
    let number: Int
    private(set) var label: String
    var address: RoomAddress { RoomAddress(name: label, host: "10.0.0.\(number)") }
    var speakerID: String?
    var link = RoomLink.up
    var isAnswering = false
    var problem: SenderError?
    var lastHeard = HostTime(nanoseconds: 0)
    var playback: RoomStatus.State?
    var loaded: [TimeRange] = []
    var bufferSeconds: Double?
    var isFlushing = false
    var isOutdated = false
    var isClockSettled = true
    var loudness = RoomLoudness()
    var known: KnownPlayback?
    var kept: [TimeRange] = []
    var traffic = RoomTraffic()
    var outputDelayMs = 0.0

    init(_ label: String, number: Int = 0) { (self.label, self.number) = (label, number) }

    func setLoudness(_ level: VolumeCommand, balance: Double?) {
        loudness.balance = balance
        loudness.set(level, now: lastHeard)
    }

    func setOutputDelay(_ milliseconds: Double) { outputDelayMs = milliseconds }

    func setName(_ name: String) { label = name }

    func takeOver() { (link, problem) = (.connecting, nil) }

    func takeUp(knownEnd end: MediaTime?) { link = .up }

    func report(origin: MediaTime, rate: Double) -> RoomStatus {
        RoomStatus(name: label, id: speakerID, address: address.endpoint, state: playback ?? .idle)
    }

    var record: StoredRoom { StoredRoom(address) }
}
