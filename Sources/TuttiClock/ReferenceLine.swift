package import TuttiCore

/// The reference line of a group: playback time against group time, led by the card of one room.
///
/// It begins as group time itself. It is continuous: each stretch begins where the one before stands, to a nanosecond,
/// and only the slope is another. The slope follows the rate of the reference room's card, by at most `slopeChange` a
/// second, and a small part of it takes out what the line and the card are apart. When nobody reports, the line is kept
/// at the card's last rate (holdover). When there is no reference room any more its slope goes back to 0 just as
/// gently, and what it is then off group time stays.
///
/// Sans-I/O: whoever owns the line gives it reports and the time, and tells all rooms the stretches that it returns.
package struct ReferenceLine: Sendable {
    /// Where a reference room's card stands, or the source of a live programme, as it was reported.
    package typealias Report = ReferenceFit

    /// What the line follows.
    package enum Leader: Sendable, Equatable {
        /// The card of a room.
        case card
        /// The source of what plays live, whose rate may become known only while it sounds: the line follows faster.
        case capture

        /// How many times faster than a card's line this one changes its rate.
        fileprivate var haste: Double { self == .card ? 1 : 5 }
    }

    /// The most that the slope changes in a second while something plays, as a plain ratio.
    package static let slopeChange = 4e-6
    /// Seconds in which what line and card are apart falls to 1/e.
    package static let timeConstant = 1.5
    /// The largest part of the slope that takes that out, as a plain ratio: what a room may do on its own, too.
    package static let largestCorrection = 50e-6
    /// A report that is further than this off the line, in ns, is ignored: a room that far off moves to the line on
    /// its own.
    package static let largestError = 10_000_000.0
    /// A report of an instant further than this from now, in ns, is none.
    package static let largestAge: Int64 = 2_000_000_000
    /// Nanoseconds without a report after which the correction ends.
    private static let silence: Int64 = 600_000_000
    /// Nanoseconds between two stretches that no report asked for.
    private static let interval: Int64 = 250_000_000

    /// The present stretch; nil for a line that is group time itself.
    package private(set) var fit: ReferenceFit?
    /// The rate that the line follows without the correction, as a plain ratio.
    package private(set) var rate = 0.0
    /// Reports that were not believed.
    package private(set) var refusedReports = 0
    /// What the line follows; nil for nothing.
    package private(set) var leader: Leader?
    private var lastReport: GroupTime?
    private var lastStep: GroupTime?

    /// A line that is group time itself.
    package init() {}

    /// A line that continues a stretch that rooms know already.
    package init(from fit: ReferenceFit?) {
        self.fit = fit
        rate = fit?.slope ?? 0
    }

    /// Whether the line is group time itself, and always was.
    package var isIdentity: Bool { fit == nil }

    /// The playback time at an instant of group time.
    package func playbackTime(at time: GroupTime) -> GroupTime { fit?.playbackTime(at: time) ?? time }

    /// The line follows this from now on, or nothing. It stays as it is.
    package mutating func setLed(_ leader: Leader?) {
        self.leader = leader
        lastReport = nil
    }

    /// How many times faster than usual the rate changes.
    private var haste: Double { leader?.haste ?? 1 }

    /// The reference room has reported where its card stands.
    ///
    /// - Parameters:
    ///   - now: group time.
    ///   - isSounding: whether anything plays along the line; where nothing does the rate may change at once.
    /// - Returns: the stretch that holds from now on; nil when the report counts for nothing.
    package mutating func take(_ report: Report, now: GroupTime, isSounding: Bool) -> ReferenceFit? {
        guard leader != nil, report.group.timescale == now.timescale,
            abs(now.nanoseconds(since: report.group)) <= Self.largestAge
        else {
            refusedReports += 1
            return nil
        }
        let error = report.offset(at: now) - standing(at: now)
        guard abs(error) <= Self.largestError || !isSounding else {
            refusedReports += 1
            return nil
        }
        let seconds = elapsed(until: now)
        lastReport = now
        guard isSounding else {
            rate = report.slope
            return step(to: rate, now)
        }
        approach(report.slope, seconds)
        let correction = error / Self.timeConstant * 1e-9
        let most = Self.largestCorrection * min(haste, 4)
        return step(to: rate + min(max(correction, -most), most), now)
    }

    /// What is due by time.
    ///
    /// - Returns: the stretch that holds from now on; nil while nothing changes.
    package mutating func advance(now: GroupTime, isSounding: Bool) -> ReferenceFit? {
        guard let fit, fit.group.timescale == now.timescale else { return nil }
        if leader != nil {
            guard fit.slope != rate, lastReport.map({ now.nanoseconds(since: $0) >= Self.silence }) ?? true else {
                return nil
            }
            return step(to: rate, now)
        }
        guard fit.slope != 0, lastStep.map({ abs(now.nanoseconds(since: $0)) >= Self.interval }) ?? true else {
            return nil
        }
        if isSounding { approach(0, elapsed(until: now)) } else { rate = 0 }
        return step(to: rate, now)
    }

    /// Seconds since the last stretch began, a second at most.
    private func elapsed(until now: GroupTime) -> Double {
        guard let lastStep, lastStep.timescale == now.timescale else { return 0.25 }
        return min(max(Double(now.nanoseconds(since: lastStep)) * 1e-9, 0), 1)
    }

    private mutating func approach(_ target: Double, _ seconds: Double) {
        let most = Self.slopeChange * haste * seconds
        rate += min(max(target - rate, -most), most)
    }

    /// Playback time less group time, in ns.
    private func standing(at now: GroupTime) -> Double { fit?.offset(at: now) ?? 0 }

    private mutating func step(to slope: Double, _ now: GroupTime) -> ReferenceFit {
        let next = ReferenceFit(group: now, offset: Int64(standing(at: now).rounded()), slope: slope)
        (fit, lastStep) = (next, now)
        return next
    }
}
