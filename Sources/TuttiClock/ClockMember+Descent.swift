import TuttiCore

/// What is heard of leaders.
extension ClockMember {
    /// The age of a leader's word, in nanoseconds, at which its parent is left though that one answers. Those on the
    /// way from the leader hear of it each second at least, or look for another parent themselves.
    private static var staleness: Int64 { 5_000_000_000 }
    /// How much newer a word has to be than the first one to show that the leader lives, nanoseconds: when a word was
    /// spoken is known to the time that an answer may take.
    private static var proof: Int64 { 600_000_000 }
    /// How much older than what it has said itself the word may be for which a leader gives up leading, nanoseconds. It
    /// is silent until it hears a newer one. Whoever was lost before it led has spoken for the last time long before
    /// that.
    private static var yielding: Int64 { 300_000_000 }
    /// A line less sure than this, in nanoseconds, is a coarse one to lead along.
    private static var coarseSigma: Double { 1_000_000 }
    /// How far another's time may be from the one that is known while something sounds, nanoseconds: more than two
    /// halves of a house drift apart in an hour on their own.
    private static var maximumStep: Int64 { 500_000_000 }
    /// How far a stranger's time may be from the one that is known, nanoseconds, beyond four standard deviations of
    /// that one. A member that has moved to another address has kept its time.
    private static var strangersStep: Double { 10_000_000 }
    /// For how long a leader is a new one, nanoseconds: others have been asked some times by then.
    private static var newsTime: Int64 { 10_000_000_000 }
    /// Nanoseconds between two questions back.
    private static var returnInterval: Int64 { 250_000_000 }

    /// What is said to others of where the time comes from.
    func spoken(now: HostTime) -> ClockDescent? {
        if isLeading { return descent }
        guard mayAnswer, let origin else { return nil }
        return descent?.said(at: now, origin: origin)
    }

    /// Whether others may be told the time.
    package var mayAnswer: Bool { silentUntil == nil }

    /// Whether the newest word of the leader is older than can be.
    func isStale(now: HostTime) -> Bool {
        guard parent != nil, descent != nil, let origin else { return false }
        return now.nanoseconds(since: origin) > Self.staleness
    }

    /// Whether the clock is known no better than from a message that took its time.
    func isCoarse(now: HostTime) -> Bool {
        estimate.map { $0.sigma(atHostNanoseconds: now.nanoseconds) > Self.coarseSigma } ?? true
    }

    /// Whether one that leads along a coarse line knows as much as this one, which has its time from another such one,
    /// or none.
    private func isNoBetter(now: HostTime) -> Bool { descent?.isCoarse ?? false || isCoarse(now: now) }

    /// The parent has answered.
    mutating func hear(_ told: ClockDescent?, askedAt question: HostTime, now: HostTime) {
        defer { scheduleFirstProbe(now: now) }
        guard let told else {
            // An older program, which is followed for its place in the order.
            return (descent, origin, silentUntil, search) = (nil, nil, nil, nil)
        }
        if search?.isForced == false { search = nil }
        let word = told.origin(askedAt: question)
        guard origin.map({ word > $0 }) ?? true else { return }
        guard !told.isCoarse || isNoBetter(now: now) else {
            // It leads now, along a line that is worse than the one here.
            if search == nil { search = ParentSearch(isForced: true, lostSince: origin, now: now) }
            return
        }
        take(told, word: word, now: now)
        search = nil
    }

    /// The leader has spoken.
    ///
    /// - Parameter word: when.
    mutating func take(_ told: ClockDescent, word: HostTime, now: HostTime) {
        if let descent, descent.leader != told.leader { newsUntil = now.advanced(byNanoseconds: Self.newsTime) }
        descent = told.handedOn
        guard let known = origin else {
            silentUntil = told.steps == 0 ? nil : word.advanced(byNanoseconds: Self.proof)
            return origin = word
        }
        if isLeading, word <= known { silentUntil = known }
        if let wanted = silentUntil, word > wanted { silentUntil = nil }
        origin = max(known, word)
    }

    /// One that was probed has answered.
    mutating func judge(_ finding: ParentSearch<Address>.Finding, now: HostTime) {
        let index = peers.firstIndex(of: finding.address)
        guard let told = finding.descent else {
            return judge(finding, ofOlderProgramAt: index, now: now)
        }
        guard !(isLeading && told.leader == descent?.leader) else { return }
        guard isNews(told, askedAt: finding.askedAt) else {
            if let index, index < place { search?.hasEarlier = true }
            return
        }
        guard !told.isCoarse || isNoBetter(now: now) else { return }
        if search != nil {
            // Whoever knows nothing yet takes the first that does.
            guard estimate != nil else { return ask(finding, now: now) }
            if let best = search?.best?.descent, !told.goesBefore(best) { return }
            search?.best = finding
        } else if isBetter(told) {
            let former = parent
            ask(finding, now: now)
            // Whoever is left for a better leader is to hear of that one, and may know nobody else who has: it asks
            // back.
            if let former { look(at: [former], now: now) }
        }
    }

    /// Whether a leader has spoken later than what was heard so far; of one that leads, nearly as late as itself.
    private func isNews(_ told: ClockDescent, askedAt question: HostTime) -> Bool {
        let word = told.origin(askedAt: question)
        if let lost = search?.lostSince, told.leader == descent?.leader, word <= lost { return false }
        guard let origin else { return true }
        return word > (isLeading ? origin.advanced(byNanoseconds: -Self.yielding) : origin)
    }

    /// Whether one that says so is to be followed in place of the parent, or of nobody. In a large house a way is left
    /// only for one that is shorter by two: everybody's shortest way is the leader.
    private func isBetter(_ told: ClockDescent) -> Bool {
        guard let descent else { return false }
        let word = told.handedOn
        guard word.goesBefore(descent) else { return false }
        return word.leader != descent.leader || peers.count < Self.largeHouse || word.steps + 1 < descent.steps
    }

    /// From so many others on that a member can ask, not all ask the leader.
    private static var largeHouse: Int { 16 }

    /// An older program does not say where its time comes from: only one that stands before this member, and before its
    /// parent, is asked, as the order alone has it.
    private mutating func judge(
        _ finding: ParentSearch<Address>.Finding, ofOlderProgramAt index: Int?, now: HostTime
    ) {
        guard let index, index < place else { return }
        if search != nil {
            if estimate == nil { return ask(finding, now: now) }
            if search?.best == nil { search?.best = finding }
        } else if isLeading || descent == nil && parent.flatMap(peers.firstIndex).map({ index < $0 }) ?? true {
            ask(finding, now: now)
        }
    }

    /// Whether a probed member's answer tells a time that is too far away to follow: before the question, or after the
    /// answer came, by more than what sounds can step, or for a stranger by more than can be without its being another
    /// clock.
    func isTooFar(_ message: TimingMessage, from address: Address, arrival: HostTime) -> Bool {
        guard let line = estimate else { return false }
        let limit: Int64
        if !peers.contains(address) {
            limit = Int64(Self.strangersStep + 4 * min(line.sigma(atHostNanoseconds: arrival.nanoseconds), 1e9))
        } else if isSounding {
            limit = Self.maximumStep
        } else {
            return false
        }
        let asked = line.groupTime(at: HostTime(nanoseconds: message.t1))
        let told = GroupTime(nanoseconds: message.t2, timescale: message.timescale)
        return told.nanoseconds(since: asked) < -limit || told.nanoseconds(since: line.groupTime(at: arrival)) > limit
    }

    /// Somebody asks who follows a better leader, or is one: it is asked back, for it may be that nobody here knows
    /// where it is. Anybody can send a datagram that says so, so whoever is not of the order is followed only if it
    /// tells the time that is known here already.
    mutating func askBack(_ bytes: [UInt8], _ address: Address, now: HostTime) {
        guard let told = (try? TimingMessage(parsing: bytes))?.descent, isBetter(told), isNews(told, askedAt: now),
            nextReturn.map({ $0 <= now }) ?? true
        else { return }
        nextReturn = now.advanced(byNanoseconds: Self.returnInterval)
        look(at: [address], now: now)
    }
}
