package import TuttiCore

/// A member of a group clock, sans I/O: it keeps the clock itself, or follows whoever does, and hands it on.
///
/// Leading is a role. Everybody who shares a clock is told the same order of members: the leader first, then those who
/// stand in for it. A member asks the first of those before itself that answers (its *parent*); when all of them are
/// silent its own line goes on as it is, frozen, and the clock with it, without a step and without a vote. The order makes
/// loops impossible: nobody asks a member that comes after itself. Every member that knows the clock answers requests,
/// whether it leads or not, so one that cannot reach the leader gets the leader's time through another.
///
/// Call contract: when `deadline` has come, call `poll` again and again and send what it returns, until that is nil; send
/// what `received` returns; after each send tell `sent` the socket's key, and `transmitted` when that key's stamp comes.
package struct ClockMember<Address: Hashable & Sendable>: Sendable {
    /// A datagram to send.
    package struct Datagram: Sendable {
        enum Purpose: Sendable { case request, probe, reply(token: UInt64) }

        /// What to send.
        package let bytes: [UInt8]
        /// Whom to.
        package let address: Address
        let purpose: Purpose
    }

    /// The group clock; nil before `lead` or `follow`.
    package private(set) var timescale: TimescaleID?
    /// Whom to ask, best first; empty for one that keeps a clock of its own.
    package private(set) var parents: [Address] = []
    /// Which of the parents is asked now; nil while the own line goes on alone.
    var current: Int?
    /// The line that is kept while nobody is asked.
    var ownLine: ClockEstimate?
    var follower: ClockFollower?
    var responder: TimingResponder?
    var probe: ParentProbe?
    /// When to see whether a parent further up answers again.
    var nextProbe: HostTime?
    var probeTurn = 0
    /// What was known of the exchanges when the last follower was let go.
    var lastStatistics = ClockStatistics()
    private var seeds: SplitMix64

    /// How many times as seldom it asks as it should for the best estimate.
    private let thrift: Int64

    /// A member without a clock. The seed is a random number that nobody can guess.
    package init(seed: UInt64, thrift: Int64 = 1) {
        seeds = SplitMix64(seed: seed)
        self.thrift = thrift
    }

    // MARK: Orders

    /// Keeps a clock from now on, along `line`.
    package mutating func lead(_ line: ClockEstimate) {
        forget()
        timescale = line.timescale
        responder = TimingResponder(line: line)
        keep(line)
    }

    /// Is the one whom the others ask from now on: a line that goes on alone is the clock, and has no error any more. A
    /// member that still has somebody to ask goes on asking, and hands on.
    ///
    /// - Parameter follows: who is told to ask this one. It asks none of those any more: each would follow the other.
    package mutating func standIn(now: HostTime, follows: (Address) -> Bool = { _ in false }) {
        guard let line = estimate else { return }
        let others = parents.filter { !follows($0) }
        if current != nil, !others.isEmpty {
            if others != parents { follow(line.timescale, parents: others, now: now) }
            return
        }
        if let follower { lastStatistics = follower.statistics }
        (follower, current, probe) = (nil, nil, nil)
        keep(line)
        handOn()
    }

    private mutating func keep(_ line: ClockEstimate) {
        (parents, nextProbe, ownLine) = ([], nil, line)
        ownLine?.offsetSigma = 0
        ownLine?.driftSigma = 0
    }

    /// Follows the clock `timescale` through the first of `parents` that answers.
    ///
    /// A clock that is known already goes on without a step, from what is known of it: only the parents change.
    ///
    /// - Parameters:
    ///   - rememberedDriftPpm: the drift against this clock as last known, with its standard deviation; for a new clock.
    ///   - start: a line to begin with, however coarse; for a new clock.
    package mutating func follow(
        _ timescale: TimescaleID, parents: [Address], rememberedDriftPpm: (value: Double, sigma: Double)? = nil,
        startingFrom start: ClockEstimate? = nil, now: HostTime
    ) {
        guard let first = parents.first else { return }
        guard timescale == self.timescale else {
            forget()
            self.timescale = timescale
            self.parents = parents
            current = 0
            follower = ClockFollower(
                timescale: timescale, seed: nextSeed(), now: now, rememberedDriftPpm: rememberedDriftPpm,
                continuing: start, thrift: thrift)
            return
        }
        let isAsked = current.map { self.parents[$0] == first } ?? false
        self.parents = parents
        if isAsked { (current, probe, nextProbe) = (0, nil, nil) } else { ask(0, now: now) }
    }

    /// This host has slept, and its clock has stood still: what is known of the group's is worth nothing now. A member that follows
    /// learns it anew; one that led, or went on alone, knows none any more and answers nobody: the others have gone on without it.
    package mutating func slept(now: HostTime) {
        guard let timescale else { return }
        let (parents, drift) = (parents, estimate.map { ($0.drift * 1e6, $0.driftSigma * 1e6) })
        forget()
        if !parents.isEmpty { follow(timescale, parents: parents, rememberedDriftPpm: drift, now: now) }
    }

    private mutating func forget() {
        (timescale, ownLine, follower, responder, probe) = (nil, nil, nil, nil, nil)
        (parents, current, nextProbe) = ([], nil, nil)
        lastStatistics = ClockStatistics()
    }

    /// Asks another parent from now on, starting from what is known.
    mutating func ask(_ index: Int, now: HostTime) {
        guard let timescale else { return }
        let known = estimate
        if let follower { lastStatistics = follower.statistics }
        follower = ClockFollower(timescale: timescale, seed: nextSeed(), now: now, continuing: known, thrift: thrift)
        (current, ownLine, probe) = (index, nil, nil)
        nextProbe = nil
    }

    /// Another number that nobody can guess.
    mutating func nextSeed() -> UInt64 { seeds.next() }

    // MARK: Results

    /// The best line now; nil before enough exchanges.
    package var estimate: ClockEstimate? { ownLine ?? follower?.estimate }

    /// The parent that is asked now; nil for one that keeps the clock itself.
    package var parent: Address? { current.map { parents[$0] } }

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
