package import TuttiClock
package import TuttiCore
package import TuttiHost

/// Decides whether a member's group time is taken from this host's system clock, and gives the line that is: a value
/// without I/O.
///
/// Hosts whose system clocks are disciplined by PTP or NTP agree with one another already. Then group time = system
/// time + K, and K is a whole number of milliseconds: the leader keeps its line on such a K, so a member that knows the
/// group's time to some µs by its own exchanges knows K exactly, and nobody has to be told it. A step of the system
/// clock, or a leap second, only makes K another one.
///
/// The exchanges go on, and have the last word: the system's line is taken only while it lies within 100 µs and three
/// standard deviations of what they say. So no peer can move a member by claiming anything. Every change, to and fro,
/// is a slew.
package struct SystemClock: Sendable {
    /// K is a multiple of so many nanoseconds.
    package static let grid: Int64 = 1_000_000
    /// How far the system's line may lie from the measured one, beyond three standard deviations of that, in ns.
    static let tolerance = 100_000.0
    /// How long it has to agree before it is taken, and disagree before it is left, in ns.
    static let (probation, patience): (Int64, Int64) = (5_000_000_000, 10_000_000_000)
    /// After a disagreement it has to agree for so long, in ns.
    static let penance: Int64 = 60_000_000_000
    /// A measured line less sure than this, in ns, tells too little of K.
    static let leastKnowledge = 100_000.0
    /// How fast a follower's line and a leader's may be moved, as ratios. Others follow a leader by what they measure,
    /// and a rate that jumps takes them a while to see.
    static let slew = (follower: 20e-6, leader: 2e-6)
    /// Where the measured line has moved by more, in ns, it is another clock, which is taken at once as it is without a
    /// system clock.
    static let longestSlew = 5_000_000.0
    /// A leader's line has come to the system clock's when it is no further away, in ns.
    static let settled = 5_000.0
    /// How old the last reading may be, in ns.
    static let staleness: Int64 = 1_500_000_000

    private var fit = ClockFit()
    private var restarts = 0
    private var last: SystemClockReading?
    /// Group minus system time.
    private var constant: Int64?
    private var agreesSince: HostTime?
    private var disagreesSince: HostTime?
    /// Until when it has to agree for longer than usual.
    private var isOnPenance = false
    private var isTaken = false
    /// The line that was given last, and whether it is on its way to another one.
    private var given: ClockEstimate?
    private var isSlewing = false
    /// What the log has been told.
    private var said: SystemClockReport.Reason??
    /// Whether a leader's line has come to where it is to be.
    package private(set) var isSettled = false
    /// How the two clocks stand.
    package private(set) var report = SystemClockReport()

    /// A member that has read nothing yet.
    package init() {}

    /// The system clock was read.
    package mutating func take(_ reading: SystemClockReading) {
        fit.take(ClockReading(raw: reading.host.nanoseconds, other: reading.system, uncertainty: reading.uncertainty))
        if fit.restarts != restarts { (restarts, constant) = (fit.restarts, nil) }
        last = reading
        report.isSynchronised = reading.isSynchronised
        report.maximumErrorUs = Double(reading.maximumErrorUs)
        report.estimatedErrorUs = Double(reading.estimatedErrorUs)
    }

    /// The line to begin a clock with whose time is `epoch` nanoseconds or a little less at `now`; nil where the system
    /// clock cannot be taken.
    package func firstOffset(near offset: Int64, now: HostTime) -> Int64? {
        guard let line = line(constant: 0, on: TimescaleID(rawValue: 0), now: now) else { return nil }
        // group − host = (system − host) + K.
        let rest = (offset &- line.offset) % Self.grid
        return offset &- rest
    }

    /// The line that holds from now on.
    ///
    /// - Parameters:
    ///   - own: as measured, or as this member leads it.
    ///   - isLeading: whether `own` is the group's clock itself.
    ///   - isOfAll: whether all members go by their system clocks.
    package mutating func line(
        _ own: ClockEstimate, isLeading: Bool, isOfAll: Bool, now: HostTime
    ) -> ClockEstimate {
        let system = judge(own, isLeading: isLeading, isOfAll: isOfAll, now: now)
        guard let given, given.timescale == own.timescale else { return give(own) }
        let target = system ?? own
        if isLeading {
            // Its own line is what it gave; without the system clock that goes on as it is.
            guard let system else { return give(own) }
            var next = slewed(own, to: system, at: now, limit: Self.slew.leader)
            // It is the clock.
            (next.offsetSigma, next.driftSigma) = (0, 0)
            return give(next)
        }
        guard abs(distance(own, given, at: now)) < Self.longestSlew else {
            _ = leave(.unmeasured)
            return give(own)
        }
        if system == nil, !isSlewing { return give(own) }
        let next = slewed(given, to: target, at: now, limit: Self.slew.follower)
        isSlewing = system != nil || abs(distance(own, next, at: now)) > 500
        return give(next)
    }

    private mutating func give(_ line: ClockEstimate) -> ClockEstimate {
        given = line
        return line
    }

    /// Whether the last look is so many nanoseconds old, or there was none.
    package func isDue(at now: HostTime, after interval: Int64) -> Bool {
        last.map { now.nanoseconds(since: $0.host) >= interval } ?? true
    }

    /// Where the group's clock is taken from, for the log, when that is another place than last time.
    package mutating func takeRemark() -> String? {
        let reason = report.reason
        let passes: [SystemClockReport.Reason] = [.waiting, .unsteady, .unmeasured]
        guard said != .some(reason), !passes.contains(where: { $0 == reason }) else { return nil }
        said = .some(reason)
        return reason.map { "the group's clock is not taken from the system clock: \($0.rawValue)" }
            ?? "the group's clock is taken from the system clock"
    }

    // MARK: The judgement

    /// The system's line, if it is to be taken.
    private mutating func judge(
        _ own: ClockEstimate, isLeading: Bool, isOfAll: Bool, now: HostTime
    ) -> ClockEstimate? {
        guard isOfAll else { return leave(.mixed) }
        guard last?.isSynchronised == true else { return leave(.notSynchronised) }
        guard let bare = line(constant: 0, on: own.timescale, now: now) else { return leave(.unsteady) }
        let sigma = own.sigma(atHostNanoseconds: now.nanoseconds)
        guard isLeading || sigma < Self.leastKnowledge else { return leave(.unmeasured) }
        if constant == nil { constant = Self.nearest(distance(own, bare, at: now)) }
        guard let constant, let line = line(constant: constant, on: own.timescale, now: now) else {
            return leave(.unsteady)
        }
        let difference = distance(line, own, at: now)
        (report.offsetUs, report.offsetSigmaUs) = (difference / 1000, sigma / 1000)
        isSettled = isLeading && abs(difference) < Self.settled
        if isLeading { return take(line) }
        noteAgreement(abs(difference) <= Self.tolerance + 3 * sigma, now: now)
        if let disagreesSince, now.nanoseconds(since: disagreesSince) >= Self.patience || !isTaken {
            isOnPenance = isOnPenance || isTaken
            return leave(.disagrees)
        }
        let wanted = isOnPenance ? Self.penance : Self.probation
        if let agreesSince, now.nanoseconds(since: agreesSince) >= wanted { isOnPenance = false }
        guard isTaken || agreesSince.map({ now.nanoseconds(since: $0) >= wanted }) ?? false else {
            return leave(isOnPenance ? .disagrees : .waiting)
        }
        return take(line)
    }

    private mutating func noteAgreement(_ agrees: Bool, now: HostTime) {
        agreesSince = agrees ? agreesSince ?? now : nil
        disagreesSince = agrees ? nil : disagreesSince ?? now
    }

    private mutating func take(_ line: ClockEstimate) -> ClockEstimate {
        isTaken = true
        report.reason = nil
        return line
    }

    private mutating func leave(_ reason: SystemClockReport.Reason) -> ClockEstimate? {
        // K was right for as long as both clocks were: once it cannot be checked it is found anew.
        if reason != .waiting { constant = nil }
        if reason != .waiting, reason != .disagrees { (agreesSince, disagreesSince) = (nil, nil) }
        (isTaken, isSettled) = (false, false)
        report.reason = reason
        return nil
    }

    // MARK: Lines

    /// System time + `constant`, as a line; nil while the system clock's course is not known.
    private func line(constant: Int64, on timescale: TimescaleID, now: HostTime) -> ClockEstimate? {
        guard let last, now.nanoseconds(since: last.host) <= Self.staleness, let rate = fit.rate,
            let host = fit.raw(of: last.system)
        else { return nil }
        return ClockEstimate(
            timescale: timescale, referenceHost: HostTime(nanoseconds: host.raw),
            offset: last.system &+ constant &- host.raw, drift: rate, offsetSigma: Double(host.uncertainty),
            driftSigma: 1e-8)
    }

    private static func nearest(_ difference: Double) -> Int64? {
        guard abs(difference) < 9e18 else { return nil }
        return Int64((difference / Double(grid)).rounded()) &* grid
    }

    /// How much further the first line is than the second, ns.
    private func distance(_ one: ClockEstimate, _ other: ClockEstimate, at now: HostTime) -> Double {
        let anchor = other.groupTime(at: now).nanoseconds
        return one.groupNanoseconds(atHostNanoseconds: now.nanoseconds, since: anchor)
            - other.groupNanoseconds(atHostNanoseconds: now.nanoseconds, since: anchor)
    }

    /// A line that goes on from `line` at `now` and comes to `target`, at a rate that differs from that one's by
    /// `limit` at most.
    private func slewed(_ line: ClockEstimate, to target: ClockEstimate, at now: HostTime, limit: Double)
        -> ClockEstimate
    {
        var next = line.moved(to: now)
        let gap = distance(target, line, at: now)
        next.drift = target.drift + min(max(gap / 1e9, -limit), limit)
        let sigma = target.sigma(atHostNanoseconds: now.nanoseconds)
        next.offsetSigma = (sigma * sigma + gap * gap).squareRoot()
        next.driftSigma = target.driftSigma
        return next
    }
}
