import NIOCore
import TuttiCore
import TuttiHost
import TuttiSchema
import TuttiTiming
import TuttiWire

/// One room of a group: its connections, its place in the packet log and what is known of it. Belongs to its group.
final class Room {
    /// How far the connections are.
    enum Link: Equatable {
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
    let number: Int
    var address: RoomAddress
    /// Whether the address came from the network and may be looked up again.
    let isDiscovered: Bool
    var session: SenderSession
    var link: Link
    /// Counts attempts to connect; events of older ones are ignored.
    var attempt = 0
    var control: (any Channel)?
    var media: (any Channel)?
    /// What it is fed from when it cannot decode the originals.
    var plain: PlainProgramme?
    /// The next packet to send; nil until it is found from `resumeAt`.
    var cursor: Int?
    /// Where on the timeline sending is to begin when `cursor` is nil.
    var resumeAt = MediaTime.zero
    var status: SpeakerStatus?
    /// How loud it is, by its last word; stays when the status is forgotten.
    var loudness = VolumeCommand(percent: 100) { didSet { isLoudnessKnown = true } }
    /// How loud it would be were there no ends to the scale: for changes of all rooms, which keep the balance between them.
    var balance: Double?
    /// Whether that is more than what is assumed of a room that has said nothing yet.
    private(set) var isLoudnessKnown = false
    /// Whether it has been played in.
    var hasBeenUp = false
    /// Whether it has just been said goodbye to, on a connection made for that alone, and whether it has said that it heard it.
    var (isTold, isCalledAgain, hasParted) = (false, false, false)
    /// Until when a person's wish to play there makes others leave it; nil for never.
    var claimEnds: HostTime?
    /// How loud it was told to be, until it says that it is.
    var unsaid: VolumeCommand?
    /// Whether it has been told that twice.
    var isToldTwice = false
    /// The speaker's id, once it has answered.
    var speakerID: String?
    /// Until when words about its loudness may be from before it was told another one.
    var loudnessSettled = HostTime(nanoseconds: 0)
    /// Whether the status is from before a change of what the room has to have ready.
    var isOutdated = false
    /// The room's clock, when it is not the programme's; for announcements alone.
    var ownClock: GroupClock?
    /// Where the speaker answers timing requests; nil while that is not known.
    var clockAddress: TuttiHost.SocketAddress?
    /// What it was told of the clock last, on this connection.
    var toldClock: ClockAnnouncement?
    /// What it was told of the reference line last, on this connection.
    var toldReference: ReferenceCommand?
    /// Why it is not up, and the exit code if nothing can be played for that.
    var problem: SenderError?
    /// When it was told of a clock, having known none.
    var clockBirth: HostTime?
    /// Whether there is more to send to it than its connection takes.
    var isLoading = false
    /// Whether something may wait on its media connection: it was sent something since the last look, or something waited then.
    var mayQueue = false
    /// What is done about its link.
    var care = LinkCare()
    /// Since when another sender has been found playing there.
    var busySince: HostTime?
    /// Since when it lacks the audio at the playhead although that was sent.
    var lacksAudioSince: HostTime?

    /// Nanoseconds until one that does not want us is asked again.
    static let refusalPause: Int64 = 5_000_000_000

    /// Nanoseconds for which a room that another sender has is asked again: the last words of one that has just gone may
    /// still be in the network.
    static let busyPatience: Int64 = 600_000_000

    /// Nanoseconds that it may lack audio which is on its way before it gets it again.
    static let gapTimeout: Int64 = 1_500_000_000

    /// Nanoseconds for which a clock is young: the burst of exchanges, and half as long again.
    private static let clockYouth: Int64 = 2_000_000_000
    /// Nanoseconds for which it is loaded gently at most while its clock's standard deviation is above so many µs, which takes a radio some seconds
    /// and a cable none; and seconds that it has to hold for that.
    private static let (longestShyness, sureSigma, shyLead) = (Int64(8_000_000_000), 6.0, 5.0)

    /// Nanoseconds for which a wish to play there holds.
    static let claimTime: Int64 = 5_000_000_000

    /// Nanoseconds for which its words about its loudness are not believed after a change.
    static let settling: Int64 = 500_000_000

    init(
        number: Int, address: RoomAddress, isDiscovered: Bool, session: SenderSession, now: HostTime
    ) {
        self.number = number
        self.address = address
        self.isDiscovered = isDiscovered
        self.session = session
        link = .down(retryAt: now)
    }

    var isUp: Bool { link == .up }

    /// Whether something is there that has not said yet that it can be played to.
    var isAnswering: Bool { link == .welcomed || link == .connecting && control != nil }

    /// How far it has got to know its clock.
    ///
    /// - Parameter lead: seconds that it holds ahead of what is heard.
    func acquaintance(lead: Double, now: HostTime) -> LinkCare.Acquaintance {
        guard let age = clockBirth.map({ now.nanoseconds(since: $0) }) else { return .long }
        let isSure = status?.clockOffsetSigmaUs.map { $0 <= Self.sureSigma } ?? false
        if age < Self.longestShyness, !isSure, lead >= Self.shyLead { return .shy }
        return age < Self.clockYouth ? .young : .long
    }

    /// Where a change of all rooms begins from: beyond the ends of the scale, unless the room has been set by itself since.
    var balancedPercent: Double {
        guard let balance, abs(min(max(balance, 0), 100) - loudness.percent) < 0.01 else { return loudness.percent }
        return balance
    }

    /// Whether a person has asked another sender to play there.
    var isTaken: Bool {
        guard link == .refused, case .roomTaken = problem else { return false }
        return true
    }

    /// Whether it goes by this name, or its speaker by this id.
    func isCalled(_ name: String) -> Bool {
        !name.isEmpty && (Names.areSame(label, name) || speakerID == name)
    }

    /// How messages call the room: by the speaker's own name once it is known.
    var label: String { address.name.isEmpty ? session.welcome?.name ?? address.label : address.name }

    /// Whether it can start at once, or has a reason of its own not to.
    var isReady: Bool {
        guard isUp, !session.isFlushing, !isOutdated, let state = status?.state else { return false }
        switch state {
        case .primed, .paused, .lostDevice: return true
        case .idle, .preparing, .playing, .stalled, .ended: return false
        }
    }
}
