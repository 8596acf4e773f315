import NIOCore
import TuttiCore
import TuttiHost
import TuttiSchema
import TuttiTiming
import TuttiWire

/// A Tutti speaker in a group: its connections, its place in the packet log and what is known of it. Belongs to its
/// group.
final class Room {
    /// It lives no longer than that.
    unowned let group: RoomGroup
    let number: Int
    var address: RoomAddress
    /// Whether the address came from the network and may be looked up again.
    let isDiscovered: Bool
    var session: SenderSession
    var link: RoomLink
    /// Counts attempts to connect; events of older ones are ignored.
    var attempt = 0
    var control: (any Channel)?
    var media: (any Channel)?
    /// Where it is in what it is sent.
    var feed = RoomFeed()
    var status: SpeakerStatus?
    /// How loud it is.
    var loudness = RoomLoudness()
    /// The name that its speaker was told, until it says that it has it.
    var toldName: String?
    /// Whether it has been played in.
    var hasBeenUp = false
    /// How far it has been told that it was taken out.
    var release = RoomRelease()
    /// Until when a person's wish to play there makes others leave it; nil for never.
    var claimEnds: HostTime?
    /// The speaker's id, once it has answered.
    var speakerID: String?
    /// Its part in the clock.
    var clock = RoomClock()
    /// Why it is not up, and the exit code if nothing can be played for that.
    var problem: SenderError?
    /// What is done about its link.
    var care = LinkCare()
    /// Since when another sender has been found playing there.
    var busySince: HostTime?
    /// Nanoseconds until one that does not want us is asked again.
    static let refusalPause: Int64 = 5_000_000_000

    /// Nanoseconds for which a room that another sender has is asked again: the last words of one that has just gone
    /// may still be in the network.
    static let busyTimeout: Int64 = 600_000_000

    /// Nanoseconds for which a wish to play there holds.
    static let claimTime: Int64 = 5_000_000_000

    init(_ group: RoomGroup, address: RoomAddress, isDiscovered: Bool, session: SenderSession) {
        self.group = group
        number = group.nextNumber
        group.nextNumber += 1
        self.address = address
        self.isDiscovered = isDiscovered
        self.session = session
        link = .down(retryAt: group.now)
    }

    /// How far it has got to know its clock.
    ///
    /// - Parameter lead: seconds that it buffers ahead of what plays.
    func acquaintance(lead: Double, now: HostTime) -> LinkCare.Acquaintance {
        clock.acquaintance(sigmaUs: status?.clockOffsetSigmaUs, lead: lead, now: now)
    }
}
