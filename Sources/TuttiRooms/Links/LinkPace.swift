package import TuttiCore

/// How fast a connection may send, by what the kernel reports of it, so that what is loaded ahead makes no queue.
///
/// What is sent faster than a link carries waits in front of it, and the clock's answers wait with it, in one direction
/// only. Round trips above the quickest show that queue (as in LEDBAT, RFC 6817). So a connection begins slowly and
/// sends more and more until they grow: what comes through then is what the link carries for it (as in BBR), and a
/// little less is sent from then on. Once in a while a little more is tried. Connections that share a link see one
/// queue, and each sends a share less.
package struct LinkPace: Sendable {
    enum Phase: Equatable {
        /// Nothing is known that would be a limit: more is tried, quickly.
        case climbing
        /// Little is sent until what waits is through, for so many nanoseconds at most.
        case draining(since: HostTime, most: Int64)
        /// The link carries so much and no more.
        case held
    }

    /// Bytes a second that a connection sends at most: 64 Mbit/s, five minutes of FLAC in about four seconds.
    package static let usualMost = 8_000_000.0
    /// Bytes a second with which all connections together begin.
    private static let opening = 2_000_000.0
    /// By how much more is tried in so many nanoseconds while nothing is known.
    private static let climb = (factor: 1.15, interval: 1e7)
    /// The share of what was asked for that must have come through for more to be tried, and that comes through a link
    /// that keeps up.
    static let (used, keepingUp) = (0.6, 0.9)
    /// Bytes a second from which on a link is plenty: eight times a timeline.
    static let ample = 1_000_000.0
    /// Looks in a row that show that a link is full, and nanoseconds of looking that show what comes through: while
    /// more is tried quickly, while it is tried slowly, and while it is not.
    private static let climbing = (looks: 2, time: Int64(20_000_000))
    private static let rising = (looks: 4, time: Int64(120_000_000))
    private static let holding = (looks: 12, time: Int64(120_000_000))
    /// The share of what a room needs that must be all that comes through for its link to be taken to carry less than
    /// it needs.
    private static let wanting = 0.5
    /// Nanoseconds of a queue that count after however few bytes.
    private static let longQueue = 2e7
    /// The share of what a link carries that is sent while it drains, and for how many nanoseconds at most, and how
    /// many times the queue: where it carries plenty, and where not.
    static let draining = (share: 0.5, time: Int64(100_000_000)...Int64(500_000_000), queues: 3.0)
    static let slowDraining = (share: 0.25, time: Int64(3_000_000_000))
    /// Nanoseconds that a queue must be longer than usual besides where no more is tried, and what is left then of what
    /// was known.
    private static let (standing, relief) = (0.5e6, 0.97)
    /// Nanoseconds of draining that tell what comes through.
    private static let telling: Int64 = 300_000_000
    /// A link that carries so many times as much or as little is another one.
    private static let change = 1.25
    /// Nanoseconds for which a link that carried much is taken to carry that still, where a room is to have something
    /// at once.
    private static let remembered: Int64 = 600_000_000_000
    /// Nanoseconds without anything to send after which a connection begins slowly again.
    private static let longestRest: Int64 = 1_000_000_000

    /// Bytes a second that are tried while climbing, and that the link is taken to carry otherwise.
    var rate: Double
    private(set) var phase = Phase.climbing
    private var window = LinkWindow()
    private var usual = UsualQueue()
    /// Looks in a row that have shown a queue.
    private var fullLooks = 0
    /// The last look that told something, and what it told.
    private var last: (look: Look, sight: LinkWindow.Sight, queue: Double)?
    /// From where on what comes through a full link is counted.
    private var begin: Look?
    /// Whether all came through when the link was found full: then it shows only now whose queue that is. And whether
    /// no more was tried.
    private var (isTrial, isStanding) = (false, false)
    /// When something has arrived last.
    private(set) var arrival: (bytes: UInt64, at: HostTime)?
    private var rise = LinkRise()
    /// Since when nothing is to be sent, what was sent before that without a queue, and whether that was about all that
    /// the link carries.
    private var rest: (since: HostTime, proven: Double, isLimited: Bool)?
    private var haste = LinkHaste()
    /// The most that was sent without a queue since the link was last found full, and when: what is loaded little by
    /// little shows less.
    private var best: (rate: Double, at: HostTime)?
    /// What this connection has in common with others.
    var share = LinkShare()
    /// Bytes a second that it is taken to carry until a queue that stands shows otherwise: so many begin at once that
    /// each is sent no more than it plays. What stood still then for a moment was as likely this host.
    private var floor = 0.0
    /// The same where the queue that was met last did not stand for as long as that.
    var unprovenLeast = 0.0

    /// - Parameter others: connections of this host that load besides.
    package init(besides others: Int = 0) {
        rate = Self.opening
        beginSlowly(besides: others)
    }

    // MARK: Measurements

    /// Something else has found out that the link carries no more than so many bytes a second.
    package mutating func learn(_ rate: Double, now: HostTime) {
        guard capacity == nil, rate < Self.ample else { return }
        self.rate = rate
        hold(now: now)
    }

    /// The connection was made, or made again; the link is what it was.
    ///
    /// - Parameter others: connections of this host that load besides.
    package mutating func reconnected(now: HostTime, besides others: Int = 0) {
        (arrival, last, fullLooks) = (nil, nil, 0)
        window.clear()
        if isDraining { hold(now: now) }
        if phase == .climbing { beginSlowly(besides: others) }
    }

    /// Less is sent than the link is taken to carry, for another reason: what comes through then tells nothing of the
    /// link.
    package mutating func heldBack() {
        (fullLooks, last, share.isUsed) = (0, nil, false)
        window.clear()
    }

    /// A room is to have something else at once: for a moment more may be sent than usual, where the link carries
    /// plenty.
    package mutating func hasten(now: HostTime) {
        guard phase == .climbing || rate >= Self.ample else { return }
        let proven = best.flatMap { now.nanoseconds(since: $0.at) < Self.remembered ? $0.rate : nil }
        rate = max(rate, rest?.proven ?? 0, proven ?? 0)
        if !(rest?.isLimited ?? false) || rate >= LinkHaste.worthwhile { haste.begin(now: now) }
        if phase == .climbing, haste.isOn, rate >= Self.usualMost * Self.keepingUp { rate = LinkHaste.opening }
        (phase, rest, fullLooks) = (.climbing, nil, 0)
        rise.stop()
        window.clear()
    }

    /// Takes a look: every ten milliseconds while something is to be sent.
    ///
    /// - Parameters:
    ///   - others: connections of this host that load besides.
    ///   - needed: bytes a second without which the room would have gaps.
    package mutating func take(_ look: Look, besides others: Int = 0, needed: Double = 0) {
        floor = Self.opening / Double(1 + max(0, others)) < needed ? min(needed, Self.usualMost) : 0
        if look.arrived != arrival?.bytes { arrival = (look.arrived, look.now) }
        endHaste(now: look.now)
        guard look.isCrowded else { return pause(now: look.now, others: others) }
        (rest, share.isUsed) = (nil, true)
        let isClimbing = phase == .climbing && rate >= floor
        let manner = isClimbing ? Self.climbing : rise.isOn ? Self.rising : Self.holding
        guard let sight = window.take(look, time: manner.time) else { return }
        let queue = look.queue(through: sight.through)
        fullLooks = isFull(queue, sight) ? fullLooks + 1 : 0
        last = (look, sight, queue)
        if queue > usual.limit * LinkShare.glimpse { share.seenAt = look.now }
        if case .draining(let since, let most) = phase { return drain(look, queue, since: since, most: most) }
        if fullLooks >= manner.looks { return yield(look, sight, queue) }
        let isUsed = sight.through > sight.pace * Self.used
        let mayRise = rise.isDue(now: look.now)
        if isUsed, phase == .climbing || !mayRise { usual.learn(queue, elapsed: sight.elapsed) }
        if usual.isDoubtful, phase == .climbing, !haste.isOn { return yield(look, sight, queue) }
        guard isUsed, fullLooks == 0 else { return }
        if phase == .climbing { climb(sight.elapsed) } else if mayRise { tryMore(sight.elapsed) }
    }

    /// Whether a look shows a queue that is not usual, and may be of this connection's making.
    private func isFull(_ queue: Double, _ sight: LinkWindow.Sight) -> Bool {
        let isLong = queue > Self.longQueue
        if haste.isOn { return isLong || queue > LinkHaste.queue && sight.isTelling }
        let isHolding = phase == .held && !rise.isOn
        guard queue > usual.limit + (isHolding ? Self.standing : 0) else { return false }
        let comesThrough = sight.through > sight.pace * Self.keepingUp
        guard phase == .climbing else { return sight.isTelling }
        // Before it is known what is usual, only what does not come through shows that it is not.
        return (usual.isKnown || !comesThrough || isLong) && (sight.isTelling || isLong)
    }

    // MARK: More

    private mutating func climb(_ elapsed: Double) {
        let (most, factor) = haste.isOn ? (haste.most, LinkHaste.climb) : (Self.usualMost, Self.climb.factor)
        rate = min(most, rate * (1 + (factor - 1) * min(2, elapsed / Self.climb.interval)))
    }

    private mutating func tryMore(_ elapsed: Double) {
        rate = rise.step(from: rate, elapsed: elapsed)
        guard rate >= Self.usualMost else { return }
        (rate, phase) = (Self.usualMost, .climbing)
        rise.stop()
    }

    private mutating func endHaste(now: HostTime) {
        guard haste.endIfDue(now: now) else { return }
        // What came through meanwhile is more than is sent otherwise.
        window.clear()
        if phase == .climbing { rate = min(rate, Self.usualMost) }
    }

    /// Rooms that begin at once see each other's queue only once it is there.
    private mutating func beginSlowly(besides others: Int) {
        rate = min(rate, Self.opening / Double(1 + max(0, others)))
    }

    // MARK: Less

    /// The link is full: what comes through is what it carries. It is taken to carry no less than before only for that.
    private mutating func yield(_ look: Look, _ sight: LinkWindow.Sight, _ queue: Double) {
        if haste.isOn {
            // Somebody waits: the queue grows no more, and is drained when it is over.
            haste.limit(to: max(sight.through, Self.ample))
            (rate, fullLooks) = (haste.most, 0)
            return
        }
        let known = phase == .climbing ? 0 : rise.isOn ? rise.known : rate
        let through = sight.through
        let isAnother = known == 0 || max(through / known, known / through) > Self.change
        share.meet(through, isNew: phase == .climbing)
        best = nil
        isTrial = phase == .held && through > sight.pace * Self.keepingUp
        isStanding = isTrial && !rise.isOn
        let isProven = fullLooks >= Self.holding.looks && through < floor * Self.wanting
        unprovenLeast = isProven ? 0 : floor
        rate = max(min(Self.usualMost, isTrial ? max(through, known) : through), unprovenLeast)
        rise.met(rate, isAnother: isAnother)
        let time = Self.draining.time
        let most = min(max(Int64(queue * Self.draining.queues), time.lowerBound), time.upperBound)
        let isSlow = rate < Self.ample && unprovenLeast == 0
        phase = .draining(since: look.now, most: isSlow ? Self.slowDraining.time : most)
        (begin, fullLooks) = (look, 0)
        rise.stop()
    }

    /// Others have met a queue that is seen here as well.
    mutating func yieldWithOthers() {
        guard !isDraining, let last else { return }
        yield(last.look, last.sight, last.queue)
    }

    private mutating func drain(_ look: Look, _ queue: Double, since: HostTime, most: Int64) {
        if usual.isDoubtful {
            guard look.now.nanoseconds(since: since) > Self.draining.time.lowerBound else { return }
            usual.tried(leaving: queue)
            return hold(now: look.now)
        }
        let isThrough = queue < usual.limit
        guard isThrough || look.now.nanoseconds(since: since) > most else { return }
        if isTrial, !isThrough {
            // Others fill the link.
            usual.take(queue)
        } else if isStanding {
            rate *= Self.relief
        } else if let begin, rate < Self.ample, look.now.nanoseconds(since: begin.now) >= Self.telling {
            rate = min(rate, look.rate(since: begin))
        }
        hold(now: look.now)
    }

    private mutating func hold(now: HostTime) {
        (phase, begin, fullLooks) = (.held, nil, 0)
        window.clear()
        rise.rest(now: now)
    }

    /// Nothing waits to be sent. A link that carries plenty is measured again after a while: others may load by then,
    /// or load no longer.
    private mutating func pause(now: HostTime, others: Int) {
        (fullLooks, share.isUsed) = (0, false)
        window.clear()
        if isDraining { hold(now: now) }
        guard capacity == nil else { return }
        guard let rest else {
            let isLimited = phase == .held
            let proven = min(Self.usualMost, isLimited ? rate * Self.keepingUp : rate)
            if proven >= best?.rate ?? 0 { best = (proven, now) }
            return self.rest = (now, proven, isLimited)
        }
        guard now.nanoseconds(since: rest.since) >= Self.longestRest else { return }
        phase = .climbing
        beginSlowly(besides: others)
    }
}
