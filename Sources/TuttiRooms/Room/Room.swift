import NIOCore
package import TuttiCore
import TuttiHost
import TuttiSchema
import TuttiTiming
package import TuttiWire

/// One room of a group: its connections, its place in the packet log and what is known of it. Belongs to its group.
package final class Room {
    /// How far the connections are.
    package enum Link: Equatable {
        /// Nothing is open; the next attempt is due then.
        case down(retryAt: HostTime)
        /// The control connection is coming up, or the welcome is awaited.
        case connecting
        /// The speaker has said welcome; the media connection is coming up.
        case welcomed
        /// Both connections are up.
        case up
        /// The speaker does not want us, or is not the one that was asked for.
        case refused
    }

    /// Its own in its group; never used twice.
    package let number: Int
    package var address: RoomAddress
    /// Whether the address came from the network and may be looked up again.
    let isDiscovered: Bool
    package var session: SenderSession
    package var link: Link
    /// Counts attempts to connect; events of older ones are ignored.
    var attempt = 0
    var control: (any Channel)?
    var media: (any Channel)?
    /// Where it is in what it is sent.
    package var feed = RoomFeed()
    package var status: SpeakerStatus?
    /// How loud it is.
    package var loudness = RoomLoudness()
    /// Whether it has been played in.
    var hasBeenUp = false
    /// How far it has been told that it was taken out.
    var release = RoomRelease()
    /// Until when a person's wish to play there makes others leave it; nil for never.
    var claimEnds: HostTime?
    /// The speaker's id, once it has answered.
    package var speakerID: String?
    /// Whether the status is from before a change of what the room has to have ready.
    package var isOutdated = false
    /// Its part in the clock.
    var clock = RoomClock()
    /// Why it is not up, and the exit code if nothing can be played for that.
    package var problem: SenderError?
    /// What is done about its link.
    var care = LinkCare()
    /// Since when another sender has been found playing there.
    var busySince: HostTime?
    /// Nanoseconds until one that does not want us is asked again.
    static let refusalPause: Int64 = 5_000_000_000

    /// Nanoseconds for which a room that another sender has is asked again: the last words of one that has just gone
    /// may still be in the network.
    static let busyPatience: Int64 = 600_000_000

    /// Nanoseconds for which a wish to play there holds.
    static let claimTime: Int64 = 5_000_000_000

    init(
        number: Int, address: RoomAddress, isDiscovered: Bool, session: SenderSession, now: HostTime
    ) {
        self.number = number
        self.address = address
        self.isDiscovered = isDiscovered
        self.session = session
        link = .down(retryAt: now)
    }

    package var isUp: Bool { link == .up }

    /// Whether something is there that has not said yet that it can be played to.
    package var isAnswering: Bool { link == .welcomed || link == .connecting && control != nil }

    /// How far it has got to know its clock.
    ///
    /// - Parameter lead: seconds that it holds ahead of what plays.
    func acquaintance(lead: Double, now: HostTime) -> LinkCare.Acquaintance {
        clock.acquaintance(sigmaUs: status?.clockOffsetSigmaUs, lead: lead, now: now)
    }

    /// Whether a person has asked another sender to play there.
    package var isTaken: Bool {
        guard link == .refused, case .roomTaken = problem else { return false }
        return true
    }

    /// Whether it goes by this name, or its speaker by this id.
    package func isCalled(_ name: String) -> Bool {
        !name.isEmpty && (Names.areSame(label, name) || speakerID == name)
    }

    /// How messages call the room: by the speaker's own name once it is known.
    package var label: String { address.name.isEmpty ? session.welcome?.name ?? address.label : address.name }

    /// Whether it can start at once, or has a reason of its own not to.
    package var isReady: Bool {
        guard isUp, !session.isFlushing, !isOutdated, let state = status?.state else { return false }
        switch state {
        case .primed, .paused, .lostDevice: return true
        case .idle, .preparing, .playing, .stalled, .ended: return false
        }
    }
}
