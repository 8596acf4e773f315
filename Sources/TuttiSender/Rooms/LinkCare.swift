import TuttiCore
import TuttiWire

/// What a group does about the link of one of its rooms.
struct LinkCare {
    var watch = LinkWatch()

    // MARK: A slow link

    /// Bits a second of the Opus that the room gets in place of the programme; nil while it gets that.
    var thinBitrate: Int?
    /// Bytes a second that are sent at most meanwhile.
    private(set) var pace: Int?
    /// When the programme is tried again.
    var nextTrial = HostTime(nanoseconds: 0)
    /// Nanoseconds until then; doubles each time that it is still too much.
    var patience = Self.shortestPatience
    /// Whether it has been said that there is nothing thinner.
    var isSaidSlow = false

    /// Nanoseconds until the programme is tried again, first and later.
    static let shortestPatience: Int64 = 60_000_000_000
    private static let longestPatience: Int64 = 960_000_000_000

    /// How much of what a link carries is used, so that no queue stands in front of the clock's replies, and how much more than the
    /// programme needs must be, to fill the room.
    private static let shares = (ofLink: 0.7, ofProgramme: 1.25)

    /// The room gets Opus from `now` on.
    ///
    /// - Parameter capacity: bits a second that its link carries.
    mutating func thin(to bitrate: Int, capacity: Double, now: HostTime) {
        thinBitrate = bitrate
        pace = Int(max(capacity * Self.shares.ofLink, Double(bitrate) * Self.shares.ofProgramme) / 8)
        nextTrial = now.advanced(byNanoseconds: patience)
        patience = min(patience * 2, Self.longestPatience)
    }

    /// The room gets the whole programme again.
    mutating func restore() { (thinBitrate, pace) = (nil, nil) }

    // MARK: A link that loses large packets

    /// Whether segments are kept as short as every network carries them.
    var hasShortSegments = false

    // MARK: A link that is down

    /// Since when the room cannot be reached.
    var lostSince: HostTime?
    /// The speaker's id, once it has been there, and where it was then.
    var speaker: (id: String, home: RoomAddress)?
    /// Hosts that have been asked whether they are the speaker, and when.
    var asked: [String: HostTime] = [:]
    /// While the address is only a guess: the session with the speaker that was there.
    var guess: SenderSession?
    /// When the network was last searched for it.
    var searchedAt: HostTime?

    /// Nanoseconds between two attempts to reach it: a speaker that is started again is back at once, one whose host is off is not.
    private static let pauses = (first: Int64(200_000_000), later: Int64(1_000_000_000))
    private static let firstPauses: Int64 = 10_000_000_000

    /// Nanoseconds after which a host is asked again.
    private static let askingInterval: Int64 = 10_000_000_000

    /// Whether to ask a host.
    func mayAsk(_ host: String, now: HostTime) -> Bool {
        asked[host].map { now.nanoseconds(since: $0) >= Self.askingInterval } ?? true
    }

    /// Nanoseconds until the next attempt to reach it.
    func pause(now: HostTime) -> Int64 {
        guard let lostSince, now.nanoseconds(since: lostSince) >= Self.firstPauses else { return Self.pauses.first }
        return Self.pauses.later
    }
}
