import TuttiCore

/// What is heard of leaders.
extension ClockMember {
    /// Nanoseconds without a new word of the leader, though the parent answers, after which it is left. Those on the way from the leader
    /// hear of it each second at least, or look for another parent themselves.
    private static var staleness: Int64 { 4_000_000_000 }
    /// A line less sure than this, in nanoseconds, is a coarse one to lead along.
    private static var coarseSigma: Double { 1_000_000 }
    /// Nanoseconds between two questions back.
    private static var returnInterval: Int64 { 250_000_000 }

    /// What is said to others of where the time comes from.
    func spoken(now: HostTime) -> ClockDescent? {
        guard isLeading else { return descent }
        var own = descent
        own?.beat = ClockDescent.beat(at: now)
        return own
    }

    /// Whether nothing has been heard of the leader for longer than can be.
    func isStale(now: HostTime) -> Bool {
        guard parent != nil, descent != nil, let heardAt else { return false }
        return now.nanoseconds(since: heardAt) > Self.staleness
    }

    /// Whether the clock is known no better than from a message that took its time.
    func isCoarse(now: HostTime) -> Bool {
        estimate.map { $0.sigma(atHostNanoseconds: now.nanoseconds) > Self.coarseSigma } ?? true
    }

    /// The parent has answered.
    mutating func hear(_ told: ClockDescent?, now: HostTime) {
        guard let told else {
            // An older program, which is followed for its place in the order.
            (descent, heardAt, isProven, search) = (nil, now, true, nil)
            return scheduleFirstProbe(now: now)
        }
        if let descent, descent.leader == told.leader {
            if search?.isForced == false { search = nil }
            if told.isNewer(than: descent.beat) { take(told, now: now) }
        } else if memory.isNews(told, now: now), !told.isCoarse || isCoarse(now: now) {
            take(told, now: now)
        } else if search == nil {
            // Its time has come from here, or it has stood still meanwhile, or leads along a worse line.
            search = ParentSearch(isForced: true, lostBeat: descent?.beat ?? 0, now: now)
        }
        scheduleFirstProbe(now: now)
    }

    private mutating func take(_ told: ClockDescent, now: HostTime) {
        if told.steps == 0 || descent?.leader == told.leader { isProven = true }
        (descent, heardAt, search) = (told.handedOn, now, nil)
        memory.note(told.leader, upTo: told.beat, now: now)
    }

    /// One that was probed has answered.
    mutating func judge(_ finding: ParentSearch<Address>.Finding, now: HostTime) {
        let index = peers.firstIndex(of: finding.address)
        guard let told = finding.descent else {
            return judge(finding, ofOlderProgramAt: index, now: now)
        }
        guard !(isLeading && told.leader == descent?.leader) else { return }
        let isOwn = search.map { told.leader == descent?.leader && !told.isNewer(than: $0.lostBeat) } ?? false
        guard memory.isNews(told, now: now), !isOwn else {
            if let index, index < place { search?.hasEarlier = true }
            return
        }
        guard !told.isCoarse || isCoarse(now: now) else { return }
        if search != nil {
            // Whoever knows nothing yet takes the first that does.
            guard estimate != nil else { return ask(finding, now: now) }
            if let best = search?.best?.descent, !told.goesBefore(best) { return }
            search?.best = finding
        } else if isBetter(told) {
            ask(finding, now: now)
        }
    }

    /// Whether one that says so is to be followed in place of the parent, or of nobody.
    private func isBetter(_ told: ClockDescent) -> Bool { descent.map { told.handedOn.goesBefore($0) } ?? false }

    /// An older program does not say where its time comes from: only one that stands before this member, and before its parent, is
    /// asked, as the order alone has it.
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

    /// Somebody asks who follows a better leader, or is one: it is asked back, for it may be that nobody here knows where it is.
    mutating func askBack(_ bytes: [UInt8], _ address: Address, now: HostTime) {
        guard let told = (try? TimingMessage(parsing: bytes))?.descent, isBetter(told), memory.isNews(told, now: now),
            nextReturn.map({ $0 <= now }) ?? true
        else { return }
        nextReturn = now.advanced(byNanoseconds: Self.returnInterval)
        look(at: [address], now: now)
    }
}
