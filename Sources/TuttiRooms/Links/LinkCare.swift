import TuttiCore
import TuttiWire

/// What a group does about the link of one of its rooms.
struct LinkCare {
    var watch = LinkWatch()

    // MARK: A slow link

    /// Bits a second of the Opus that the room gets in place of the timeline; nil while it gets that.
    var thinBitrate: Int?
    /// What is known of how much the link carries.
    var link = LinkPace()
    /// Bytes a second that the connection was told to send at most.
    var pace = LinkPace.usualMost
    /// Whether less is sent than the link is taken to carry: what waits then tells nothing about the link.
    var isHeldBack = false
    /// When the timeline is tried again.
    private(set) var nextTrial = HostTime(nanoseconds: 0)
    /// The same where the link has been found to carry it.
    private(set) var nextProvenTrial = HostTime(nanoseconds: 0)
    /// Nanoseconds until then; doubles each time that it is still too much.
    var trialInterval = Self.shortestTrialInterval
    /// Whether it has been reported that there is nothing thinner.
    var isSaidSlow = false

    /// Nanoseconds until the timeline is tried again, first and later.
    static let shortestTrialInterval: Int64 = 60_000_000_000
    private static let longestTrialInterval: Int64 = 960_000_000_000

    /// How much sooner it is tried where the link has been found to carry it.
    private static let provenHaste: Int64 = 8
    /// How much of what a link carries is used, by the timeline, while a room meets its clock, while it is silent for
    /// want of sound, and by Opus, so that no queue stands in front of the clock's replies; how many times what is
    /// played is sent in any case, to fill the room, where the link carries it, the same while many rooms wait for each
    /// other's first second, and at most while it cannot tell a queue from the way.
    private static let shares = (
        whole: 0.85, young: 0.7, hungry: 0.95, thin: 0.7, ofTimeline: 1.25, ofBeginning: 2.0, shy: 2.0
    )
    /// Bytes a second that no link is spared: the kernel paces by two segments, and of a timeline of next to nothing
    /// (silence) two would take longer than a link that is stuck.
    private static let unspared = 100_000.0
    /// How many times the timeline a link carries that has been found to carry it.
    private static let proof = 1.4

    /// The room gets Opus from `now` on.
    ///
    /// - Parameter capacity: bits a second that its link carries.
    mutating func thin(to bitrate: Int, capacity: Double, now: HostTime) {
        precondition(bitrate > 0 && capacity >= 0, "a room is thinned to a bit rate that its link carries")
        thinBitrate = bitrate
        link.learn(capacity / 8, now: now)
        nextTrial = now.advanced(byNanoseconds: trialInterval)
        nextProvenTrial = now.advanced(byNanoseconds: trialInterval / Self.provenHaste)
        trialInterval = min(trialInterval * 2, Self.longestTrialInterval)
    }

    /// The room gets the whole timeline again; where it is not known that the link carries it, as fast as ever.
    ///
    /// - Parameter others: rooms that load besides.
    mutating func restore(isProven: Bool, besides others: Int) {
        thinBitrate = nil
        if !isProven { link = LinkPace(besides: others) }
    }

    /// Whether the link has been found to carry a timeline of so many bits a second.
    func isProven(for bitrate: Double) -> Bool {
        link.capacity.map { $0 * 8 >= bitrate * Self.proof } ?? true
    }

    /// Whether the link carries Opus of so many bits a second, as far as is known.
    func carries(_ bitrate: Int) -> Bool {
        link.capacity.map { $0 * 8 >= Double(bitrate) * Self.shares.ofTimeline } ?? true
    }

    /// What may be sent.
    ///
    /// - Parameters:
    ///   - bitrate: bits a second of what is played.
    ///   - acquaintance: how far the room has got to know its clock.
    ///   - isStalled: whether it is silent for want of sound.
    ///   - isBeginning: whether it is one of many that wait for the first sound.
    func allowance(
        bitrate: Double, acquaintance: Acquaintance, isStalled: Bool, isBeginning: Bool
    ) -> Allowance {
        let usual = isStalled ? Self.shares.hungry : acquaintance == .long ? Self.shares.whole : Self.shares.young
        let share = thinBitrate != nil ? Self.shares.thin : usual
        let limit = link.limit(share: share, least: Self.needed(bitrate: bitrate, isBeginning: isBeginning))
        guard acquaintance == .shy, !isStalled else { return Allowance(pace: limit, isHeldBack: false) }
        let most = max(bitrate * Self.shares.shy / 8, Self.unspared)
        return Allowance(pace: min(limit, most), isHeldBack: most < limit)
    }

    /// Bytes a second that a room is sent in any case, where its link carries them, when so many bits a second are
    /// played.
    ///
    /// - Parameter isBeginning: whether it is one of many that wait for the first sound.
    static func needed(bitrate: Double, isBeginning: Bool) -> Double {
        bitrate * (isBeginning ? shares.ofBeginning : shares.ofTimeline) / 8
    }

    /// What a room may be sent.
    struct Allowance {
        /// Bytes a second at most.
        var pace: Double
        /// Whether that is less than the link is taken to carry.
        var isHeldBack: Bool
    }

    /// How far a room has got to know its clock.
    enum Acquaintance {
        /// Well, or there is no more to be learnt soon.
        case long
        /// Only just met: one exchange that finds no queue is worth more than all others.
        case young
        /// Not at all well, behind a link whose delays vary: what stands in a queue now is taken for the way.
        case shy
    }

    // MARK: A link that loses large packets

    /// Whether segments are kept as short as every network carries them.
    var hasShortSegments = false

    // MARK: A link that loses what has a class of service

    /// Whether commands go out with their class of service. Some routers lose packets that have one.
    private(set) var isMarked = true

    /// A connection was made, and nothing has come of what was said there: it is said without a class the next time,
    /// and with it the time after.
    mutating func wasNotHeard() { isMarked.toggle() }

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

    /// Nanoseconds between two attempts to reach it: a speaker that is started again is back at once, one whose host is
    /// off is not.
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
