package import TuttiCore

/// A member of a group clock, sans I/O: it keeps the clock itself, or follows whoever does, and hands it on.
///
/// Leading is a role. One that follows asks another member, its *parent*, and answers those who ask it along its own
/// line, so one that cannot reach the leader gets the leader's time through others. When nobody is left to ask its line
/// goes on as it is, and the clock with it, without a step and without a vote.
///
/// Nobody is told whom to follow: members are told of one another, in an order, and each message says where the time of
/// whoever sends it comes from (`ClockDescent`). Three rules make that a tree with one leader:
///
/// - **No circles.** A member takes up another parent only where the word that this one has of its leader is newer than
///   its own. Who follows a member has nothing newer, at however many removes; so time never comes back to where it has
///   been.
/// - **One leader.** Of two leaders the one stays that began to lead after fewer losses; the other, when it hears of
///   that, follows. Those who lead ask all others that do not ask them, again and again, and who is asked by one of its
///   order that has a better leader asks back. So two leaders find each other where there is any way between them.
/// - **Leading lasts.** Who leads stays leader whatever the priority, as long as others receive it. The priority
///   decides who leads next.
///
/// Call contract: when `deadline` has come, call `poll` again and again and send what it returns, until that is nil;
/// send what `received` returns; after each send tell `sent` the socket's key, and `transmitted` when that key's stamp
/// comes.
package struct ClockMember<Address: Hashable & Sendable>: Sendable {
    /// A datagram to send.
    package struct Datagram: Sendable {
        enum Purpose: Sendable { case request, probe(clientID: UInt64), reply(token: UInt64) }

        /// What to send.
        package let bytes: [UInt8]
        /// Whom to.
        package let address: Address
        let purpose: Purpose
    }

    var role = ClockRole<Address>.none
    /// The other members: those before this one in the order, best first, those behind it, and those of earlier orders.
    package internal(set) var peers: [Address] = []
    /// How many of them stand before this one.
    private(set) var place = 0
    var responder: TimingResponder?
    /// Where the time comes from; nil before that is known, and where the parent does not say.
    package internal(set) var descent: ClockDescent?
    /// When the leader spoke the newest word that was heard, at the earliest; of one that leads, when it said anything
    /// last.
    var origin: HostTime?
    /// Nobody is answered before a word has come that is newer than this, nil when one has: what was told may have been
    /// this one's own word, from before it was started anew, or is older than what it has said while it led.
    var silentUntil: HostTime?
    var search: ParentSearch<Address>?
    /// What was known before this host slept, for as long as nothing else is.
    var memory: SleptClock?
    var probes = ProbeQueue<Address>()
    /// Until when the leader is a new one, of whom others may not have heard.
    var newsUntil: HostTime?
    var questions = QuestionLog<Address>()
    /// When somebody may be asked back again.
    var nextReturn: HostTime?
    /// Whether something is played along this clock: then nobody is followed whose time is far from the one that is
    /// known here.
    package var isSounding = false
    /// Whether nothing is to be played: then the parent is asked seldom, once the clock is known well.
    package private(set) var isIdle = false
    /// Whether this member goes by its host's system clock, and whether the line that it leads along does by now.
    package var (usesSystemClock, leadsBySystemClock) = (false, false)
    /// What those who ask say: whether they and all who ask them go by theirs.
    var systemWords: [Address: (isSaid: Bool, at: HostTime)] = [:]
    /// What was known of the exchanges when the last follower was let go.
    var lastStatistics = ClockStatistics()
    private var seeds: SplitMix64

    /// How many times as seldom it asks as it should for the best estimate.
    let pollDivisor: Int64
    /// Members of earlier orders that are remembered at most: a room that has changed groups may share its clock with
    /// both.
    private static var strangers: Int { 16 }

    /// A member without a clock. The seed is a random number that nobody can guess.
    package init(seed: UInt64, pollDivisor: Int64 = 1) {
        seeds = SplitMix64(seed: seed)
        self.pollDivisor = pollDivisor
    }

    // MARK: Orders

    /// Begins a clock, along `line`.
    package mutating func lead(_ line: ClockEstimate) {
        forget()
        descent = ClockDescent(losses: 0, leader: nextLeader())
        (origin, silentUntil) = (line.referenceHost, nil)
        keep(line)
        handOn()
    }

    /// Goes along a line without an error: it is the clock.
    mutating func keep(_ line: ClockEstimate) {
        var line = line
        (line.offsetSigma, line.driftSigma) = (0, 0)
        role = .leading(line)
    }

    /// Is a member of the clock `timescale`, with others.
    ///
    /// A clock that is known already stays as it is: only those who are asked when there is need for it change. A new
    /// one is asked from the first that answers.
    ///
    /// - Parameters:
    ///   - parents: those before this one in the order, best first: one of them leads, as far as whoever gives the
    ///     order knows. Empty for the leader.
    ///   - behind: those after it.
    ///   - rememberedDriftPpm: the drift against this clock as last known, with its standard deviation; for a new
    ///     clock.
    ///   - start: a line to begin with, however coarse; for a new clock.
    package mutating func follow(
        _ timescale: TimescaleID, parents: [Address], behind: [Address] = [],
        rememberedDriftPpm: (value: Double, sigma: Double)? = nil, startingFrom start: ClockEstimate? = nil,
        now: HostTime
    ) {
        // Who is named twice is one member all the same: the first name counts.
        var named: Set<Address> = []
        let parents = parents.filter { named.insert($0).inserted }
        let behind = behind.filter { named.insert($0).inserted }
        guard timescale == self.timescale else {
            guard let first = parents.first ?? behind.first else { return }
            forget()
            (peers, place) = (parents + behind, parents.count)
            let follower = ClockFollower(
                timescale: timescale, seed: nextSeed(), now: now, rememberedDriftPpm: rememberedDriftPpm,
                continuing: start, pollDivisor: pollDivisor)
            role = .following(parent: first, follower)
            return
        }
        reorder(parents, behind: behind, now: now)
    }

    private mutating func reorder(_ parents: [Address], behind: [Address], now: HostTime) {
        let known = Set(peers)
        let order = parents + behind
        let others = peers.filter { !order.contains($0) }
        peers = order + others.suffix(Self.strangers)
        place = parents.count
        questions.keep(peers)
        if let line = role.line {
            if parents.isEmpty { keep(line) }
        } else if estimate == nil, let first = peers.first, parent != first {
            return beginAnew(with: first, now: now)
        }
        look(at: order.filter { !known.contains($0) }, now: now)
        scheduleFirstProbe(now: now)
    }

    /// Says whether nothing is to be played. Who is to play asks at once, and often.
    package mutating func setIdle(_ isIdle: Bool, now: HostTime) {
        guard isIdle != self.isIdle else { return }
        self.isIdle = isIdle
        if !isIdle { role.changeFollower { $0.ask(by: now) } }
    }

    /// Begins to be a member of a clock that this host has kept alone, or with others who are asked first whether it
    /// has gone on without it.
    ///
    /// - Parameter line: how it was known.
    package mutating func resume(_ line: ClockEstimate, with others: [Address], now: HostTime) {
        guard others.isEmpty else {
            return follow(line.timescale, parents: others, startingFrom: line, now: now)
        }
        lead(line)
    }

    /// This host has slept, and its clock has stood still: what is known of the group's is worth little now. A member
    /// learns it anew from the others, and answers nobody until then; one that has no others knows none any more. Where
    /// nobody else knows it either, for all have slept, it follows what this one remembers.
    ///
    /// - Parameter nanoseconds: how long the host has slept, by its own count.
    package mutating func slept(for nanoseconds: Int64, now: HostTime) {
        guard let timescale else { return }
        let (peers, place) = (peers, place)
        let drift = isLeading ? nil : estimate.map { ($0.drift * 1e6, $0.driftSigma * 1e6) }
        var memory = estimate.map { SleptClock(line: $0, losses: descent?.losses ?? 0, wokeAt: now) } ?? memory
        memory?.sleep(for: nanoseconds, until: now)
        forget()
        follow(
            timescale, parents: Array(peers.prefix(place)), behind: Array(peers.dropFirst(place)),
            rememberedDriftPpm: drift, now: now)
        self.memory = memory
    }

    private mutating func forget() {
        (role, responder, descent, search) = (.none, nil, nil, nil)
        (peers, place, origin, silentUntil) = ([], 0, nil, HostTime(nanoseconds: .max))
        probes.forget()
        (nextReturn, questions, newsUntil, systemWords) = (nil, QuestionLog(), nil, [:])
        (lastStatistics, memory) = (ClockStatistics(), nil)
    }

    /// Another number that nobody can guess.
    mutating func nextSeed() -> UInt64 { seeds.next() }

    /// The same for one that begins to lead.
    mutating func nextLeader() -> UInt32 { max(UInt32(truncatingIfNeeded: seeds.next()), 1) }

    // MARK: Results

    /// The group clock; nil before `lead` or `follow`.
    package var timescale: TimescaleID? { role.timescale }
    /// Who is asked now; nil for one that leads.
    package var parent: Address? { role.parent }
    /// The best line now; nil before enough exchanges.
    package var estimate: ClockEstimate? { role.estimate }
    /// Whether it leads.
    package var isLeading: Bool { role.line != nil }

    var follower: ClockFollower? { role.follower }

    /// Quality and counters of the exchanges with the present parent, or the last one while there is none.
    package func statistics(now: HostTime) -> ClockStatistics {
        var statistics = follower?.statistics ?? lastStatistics
        guard let estimate else { return statistics }
        statistics.sigmaUs = estimate.sigma(atHostNanoseconds: now.nanoseconds) / 1000
        statistics.driftPpm = estimate.drift * 1e6
        statistics.driftSigmaPpm = estimate.driftSigma * 1e6
        return statistics
    }

    /// What the answers to others came to.
    package var responses: TimingResponder.Statistics { responder?.statistics ?? TimingResponder.Statistics() }
}
