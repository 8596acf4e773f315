import TuttiCore

/// The choice of whom to ask.
extension ClockMember {
    /// Nanoseconds after the first request without an answer at which a parent is given up: longer than a radio
    /// link at each end stands still, one after the other; short enough for rooms that ask four times a second to have
    /// turned to the next within a second of its death.
    package static var patience: Int64 { 550_000_000 }
    /// Requests without an answer that it takes besides.
    private static var unansweredToLeave: Int { 6 }
    /// How long before that others are asked, so that by then it is known who is there.
    private static var headStart: Int64 { 250_000_000 }
    /// Requests without an answer that it takes besides.
    private static var unansweredToLook: Int { 3 }
    /// Nanoseconds in which one that leads has asked all that do not ask it, and one that has a long way to the leader
    /// the next of the others.
    private static var probeInterval: Int64 { 2_000_000_000 }
    /// Nanoseconds between two probes of one that asks the leader itself.
    private static var calmProbeInterval: Int64 { 10_000_000_000 }
    /// Nanoseconds between two probes at least.
    private static var leastProbeInterval: Int64 { 100_000_000 }

    // MARK: A silent parent

    /// Looks for another parent when the present one is silent or has nothing new to say; where there is none, leads.
    mutating func watchParent(now: HostTime) {
        guard let parent, let follower else { return }
        // Where nobody tells anything.
        if estimate == nil, origin == nil, let memory, memory.isAllThereIs(place: place, now: now) {
            return goOnAlone(along: memory.line, isCoarse: true, losses: memory.losses, now: now)
        }
        let silence = follower.timeWithoutAnswer(now: now)
        if search == nil { beginSearch(silence: silence, now: now) }
        guard let current = search else { return }
        if current.nextRound <= now {
            search?.nextRound = now.advanced(byNanoseconds: ParentSearch<Address>.interval)
            look(at: peers.filter { $0 != parent }, now: now)
        }
        let isOver =
            current.isForced
            ? now.nanoseconds(since: current.begin) >= ParentSearch<Address>.wait
            : follower.unanswered >= Self.unansweredToLeave && silence >= Self.patience
        guard isOver else { return }
        let since = current.overSince ?? now
        search?.overSince = since
        if let best = current.best {
            ask(best, now: now)
        } else if estimate == nil {
            askNext(after: parent, now: now)
        } else if !current.hasEarlier || now.nanoseconds(since: since) >= ParentSearch<Address>.grace {
            goOnAlone(now: now)
        }
    }

    private mutating func beginSearch(silence: Int64, now: HostTime) {
        if isStale(now: now) {
            search = ParentSearch(isForced: true, lostSince: origin, now: now)
        } else if let follower, follower.unanswered >= Self.unansweredToLook, silence >= Self.patience - Self.headStart
        {
            // The leader itself cannot be reached: it lives if others have heard it since.
            let isLeader = descent?.steps == 1
            search = ParentSearch(
                isForced: false, lostSince: isLeader ? now.advanced(byNanoseconds: -silence) : origin, now: now)
        }
    }

    /// One that knows nothing yet asks everybody in turn.
    private mutating func askNext(after address: Address, now: HostTime) {
        let next = peers.firstIndex(of: address).map { ($0 + 1) % peers.count } ?? 0
        // With nobody else the search continues: a new one would begin with questions to all, each time that this is
        // called.
        guard peers.indices.contains(next), peers[next] != address else { return }
        beginAnew(with: peers[next], now: now)
    }

    /// Nobody is left to ask: leads, along the line that there is.
    private mutating func goOnAlone(now: HostTime) {
        guard let line = estimate else { return }
        goOnAlone(along: line, isCoarse: isCoarse(now: now), losses: descent?.losses ?? 0, now: now)
    }

    private mutating func goOnAlone(along line: ClockEstimate, isCoarse: Bool, losses: UInt16, now: HostTime) {
        descent = ClockDescent(isCoarse: isCoarse, losses: losses == .max ? .max : losses + 1, leader: nextLeader())
        if let follower { lastStatistics = follower.statistics }
        (role, search, origin, silentUntil, memory) = (.leading(line), nil, now, nil, nil)
        handOn()
        // Another may have done the same.
        look(at: peers, now: now)
        scheduleProbe(now: now)
    }

    // MARK: Another parent

    /// One that knows no clock yet asks another, of whom nothing is known. What the one before has said of the leader
    /// is forgotten with it: whoever answers without a descent passes for an older program, and may be followed by the
    /// leader itself.
    mutating func beginAnew(with address: Address, now: HostTime) {
        (origin, silentUntil) = (nil, HostTime(nanoseconds: .max))
        ask(ParentSearch.Finding(address: address, askedAt: now), now: now)
    }

    /// Asks another from now on, starting from what is known.
    mutating func ask(_ finding: ParentSearch<Address>.Finding, now: HostTime) {
        guard let timescale else { return }
        let known = estimate
        if let told = finding.descent {
            take(told, word: told.origin(askedAt: finding.askedAt), now: now)
        } else {
            descent = nil
        }
        if let follower { lastStatistics = follower.statistics }
        let next = ClockFollower(
            timescale: timescale, seed: nextSeed(), now: now, continuing: known, pollDivisor: pollDivisor)
        if !peers.contains(finding.address) { peers.append(finding.address) }
        (role, search) = (.following(parent: finding.address, next), nil)
        scheduleProbe(now: now)
    }

    // MARK: Probes

    /// Asks these once, as soon as possible.
    mutating func look(at addresses: [Address], now: HostTime) { probes.add(addresses, now: now) }

    /// Begins to look around now and then, once there is a clock to speak of.
    mutating func scheduleFirstProbe(now: HostTime) {
        if probes.nextTurn == nil { scheduleProbe(now: now) }
    }

    mutating func scheduleProbe(now: HostTime) {
        guard !peers.isEmpty, estimate != nil else { return probes.nextTurn = nil }
        probes.nextTurn = now.advanced(byNanoseconds: probeInterval(now: now))
    }

    private func probeInterval(now: HostTime) -> Int64 {
        // Whoever has just turned to another leader may be the only one that knows somebody who has not.
        let isNews = newsUntil.map { now < $0 } ?? false
        guard isLeading || isNews else { return descent?.steps == 1 ? Self.calmProbeInterval : Self.probeInterval }
        return max(Self.probeInterval / Int64(max(peers.count, 1)), Self.leastProbeInterval)
    }

    /// Whoever asked all the time, and does no more, may have lost this one, and lead: it is asked.
    mutating func missQuestions(now: HostTime) { look(at: questions.takeMissing(of: peers, now: now), now: now) }

    /// Asks the next one that is to be probed.
    mutating func pollProbe(now: HostTime) -> Datagram? {
        if let due = probes.nextTurn, due <= now, !peers.isEmpty {
            scheduleProbe(now: now)
            // Whoever asks one that leads is known to be there, and tells by that whom it follows.
            let (isLeading, questions) = (isLeading, questions)
            let next = probes.advance(in: peers) { !isLeading || !questions.isFollowing($0, now: now) }
            if let next { look(at: [next], now: now) }
        }
        while let timescale, let address = probes.takeWaiting() {
            guard address != parent else { continue }
            var follower = ClockFollower(timescale: timescale, seed: nextSeed(), now: now)
            // Its own word alone: those of all who ask go up the tree only, so that none comes back to where it has
            // been.
            let bytes = follower.poll(now: now, descent: spoken(now: now), usesSystemClock: usesSystemClock)
            guard let bytes else { continue }
            probes.begin(ParentProbe(address: address, sentAt: now, follower: follower), now: now)
            return Datagram(bytes: bytes, address: address, purpose: .probe(clientID: follower.clientID))
        }
        return nil
    }
}
