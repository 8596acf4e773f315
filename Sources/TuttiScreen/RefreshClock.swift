package import TuttiCore

/// When a display refreshes, learned from the instants at which swaps of its buffers return. Sans-I/O.
///
/// A driver with vertical sync lets a swap return at a refresh. Whether one does is tried, not believed: pictures are
/// handed over at instants that scatter a little. Where returns lie on a line regardless, the display decides when they
/// come; where they scatter likewise, nobody waits for it (no vertical sync, variable refresh, a screen that sleeps).
/// The clock begins to learn anew when that changes. State is bounded, and times may be any.
package struct RefreshClock: Sendable {
    /// What is known of the display.
    package enum Standing: String, Sendable, Equatable {
        /// Swaps are being watched: hand over one picture after the other, whether it is new or not.
        case learning
        /// Swaps wait for refreshes, and these are known.
        case locked
        /// Swaps do not wait for refreshes: pictures are handed over at their instants, no faster than the display refreshes
        /// by its statement.
        case free
    }

    /// A refresh that a picture can still be made for.
    package struct Refresh: Sendable, Equatable {
        /// When to choose and draw the picture.
        package let drawing: HostTime
        /// When to hand it over, at the earliest.
        package let handover: HostTime
        /// When it comes to light, without the display's own latency.
        package let light: HostTime
    }

    /// The rate of a display that states none, or one outside of `rates`, in Hz.
    private static let usualRate = 60.0
    /// Rates that a display may have, in Hz.
    private static let rates = 5.0...1_000
    /// Swaps after a rest that a driver may take without waiting: its queue is not full yet.
    private static let unheeded = 3
    /// Swaps in a row that settle whether they wait.
    private static let trial = 24
    private static let longestTrial = 120
    /// Swaps in a row that speak against what is believed, until it is given up.
    private static let patience = 24
    /// A rest of so many refreshes makes the phase uncertain.
    private static let longestRest = 400.0
    /// How long a display without vertical sync is left alone, in ns: at first and at most.
    private static let trialIntervals: (first: Int64, longest: Int64) = (10_000_000_000, 640_000_000_000)
    /// What remains between a handover and its refresh, in ns.
    private static let guardTime: Int64 = 300_000

    package private(set) var standing = Standing.learning
    /// Nanoseconds from a refresh to the next: learned, or stated.
    package private(set) var period: Double
    /// How much returns scatter about refreshes, in ns (median of magnitudes).
    package private(set) var jitter: Double = 0
    private var stated: Double
    private var window = SwapWindow()
    /// A refresh.
    private var anchor: HostTime?
    private var lastReturn: HostTime?
    /// How long swaps take.
    private var swaps = Durations(guess: 1_000_000)
    /// How long swaps take where they wait for nothing, in ns.
    private var usualDuration: Double = 0
    /// Swaps since the last rest.
    private var run = 0
    private var doubts = 0
    private var nextTrial: HostTime?
    private var trialInterval = Self.trialIntervals.first
    private var scatter: SplitMix64

    /// A clock that knows what the display states.
    ///
    /// - Parameters:
    ///   - statedRate: refreshes in a second; nil where none is stated, and any number.
    ///   - seed: of the scatter of handovers.
    package init(statedRate: Double?, seed: UInt64 = 1) {
        stated = Self.period(statedRate)
        period = stated
        scatter = SplitMix64(seed: seed)
    }

    private static func period(_ rate: Double?) -> Double {
        1e9 / (rate.flatMap { rates.contains($0) ? $0 : nil } ?? usualRate)
    }

    /// Forgets what was learned: the window is on another display, or that has another mode, or was asleep.
    package mutating func restart(statedRate: Double?) {
        stated = Self.period(statedRate)
        (period, anchor, nextTrial, lastReturn) = (stated, nil, nil, nil)
        trialInterval = Self.trialIntervals.first
        learn()
    }

    private mutating func learn() {
        standing = .learning
        window.removeAll()
        (run, doubts) = (0, 0)
    }

    // MARK: Prediction

    /// The next refresh that a picture can be made for.
    ///
    /// - Parameters:
    ///   - now: the present.
    ///   - usual: how long drawing takes in general, in ns: a refresh that leaves less is not aimed at.
    ///   - longest: how long it may take, in ns; at most eight tenths of a refresh are given to it.
    ///   - wanted: when the next picture is to come to light. Only where nothing is known of refreshes it comes then.
    package mutating func nextRefresh(
        after now: HostTime, usual: Int64, longest: Int64, wanted: HostTime? = nil
    ) -> Refresh {
        let usual = Int64(min(max(Double(usual), 0), 0.8 * period))
        let longest = Int64(min(max(Double(longest), Double(usual)), 0.8 * period))
        let spread = Int64(scatter.unit() * handoverSpread)
        switch standing {
        case .learning:
            let handover = now.advanced(byNanoseconds: spread)
            let wait = min(swaps.median, Int64(period))
            return Refresh(
                drawing: handover, handover: handover, light: handover.advanced(byNanoseconds: usual + wait))
        case .locked:
            let light = refresh(notBefore: now.advanced(byNanoseconds: usual + Self.guardTime))
            // A driver's queue is to be full: only then does each swap wait, and each picture alike.
            if isRested(at: now) { return Refresh(drawing: now, handover: now, light: light) }
            let lead = Int64(min(Double(longest + Self.guardTime + spread), 0.9 * period))
            let drawing = max(now, light.advanced(byNanoseconds: -lead))
            return Refresh(drawing: drawing, handover: drawing, light: light)
        case .free:
            let swap = min(swaps.median, Int64(period / 4))
            let pace = lastReturn?.advanced(byNanoseconds: Int64(0.75 * period))
            let soonest = now.advanced(byNanoseconds: usual + swap)
            let light = max(soonest, pace ?? soonest, wanted ?? soonest)
            let handover = light.advanced(byNanoseconds: -swap)
            return Refresh(
                drawing: max(now, handover.advanced(byNanoseconds: -longest)), handover: handover, light: light)
        }
    }

    /// Over how many ns handovers scatter: the more the clearer it is who decides when swaps return.
    private var handoverSpread: Double {
        guard standing == .learning else { return min(period / 4, 5e6) }
        let isKnown = window.count >= Self.trial / 4
        return min(isKnown ? 0.4 * window.medianStep : 1e6, 7e6)
    }

    /// Whether a driver may still take swaps without waiting.
    private func isRested(at now: HostTime) -> Bool {
        guard run > Self.unheeded, let lastReturn else { return true }
        return isRest(Double(now.nanoseconds(since: lastReturn)))
    }

    private func isRest(_ interval: Double) -> Bool { interval > max(3.5 * period, 30e6) }

    /// The first refresh at `time` or later.
    private func refresh(notBefore time: HostTime) -> HostTime {
        let anchor = anchor ?? HostTime(nanoseconds: 0)
        return refresh((Double(time.nanoseconds(since: anchor)) / period).rounded(.up), after: anchor)
    }

    private func refresh(_ count: Double, after anchor: HostTime) -> HostTime {
        let bound = Double(HostTime.maximumNanoseconds)
        return anchor.advanced(byNanoseconds: Int64(min(max(count * period, -bound), bound)))
    }

    /// When a picture came to light whose swap returned at `time`, as far as the clock can tell.
    package func light(ofReturn time: HostTime) -> HostTime {
        guard standing == .locked, let anchor else { return time }
        return refresh((Double(time.nanoseconds(since: anchor)) / period).rounded(), after: anchor)
    }

    // MARK: Learning

    /// A picture was handed over, and the swap returned. Swaps that contradict the order of times are left out.
    package mutating func swapped(handedOver: HostTime, returned: HostTime) {
        guard returned >= handedOver, lastReturn.map({ returned > $0 }) ?? true else { return }
        let rest = lastReturn.map { Double(returned.nanoseconds(since: $0)) } ?? .infinity
        lastReturn = returned
        let duration = returned.nanoseconds(since: handedOver)
        defer { swaps.add(duration) }
        // A screen that sleeps may keep a swap for long; what comes after is another line.
        if Double(duration) > 6 * period + 50e6 { return interrupt() }
        if isRest(rest) { run = 0 }
        run = min(run + 1, 1_000)
        switch standing {
        case .learning:
            if run == 1 { window.removeAll() }
            if run > Self.unheeded { tryOut(handedOver, returned) }
        case .locked:
            if rest > Self.longestRest * period { window.removeAll() }
            if run > Self.unheeded { follow(handedOver, returned) }
        case .free: watch(duration, returned)
        }
    }

    private mutating func interrupt() {
        run = 0
        if standing != .free { learn() }
    }

    private mutating func tryOut(_ handedOver: HostTime, _ returned: HostTime) {
        window.append(handedOver, returned, steps: 0)
        guard window.count >= Self.trial else { return }
        let step = window.medianStep
        guard step >= 1e9 / Self.rates.upperBound, step <= 1e9 / Self.rates.lowerBound else { return letGo(returned) }
        window.count(by: step)
        guard let line = window.line(prior: window.medianSlope) else { return letGo(returned) }
        if !line.isSurelyOfDisplay {
            // On a busy host it takes more to tell.
            doubts = line.isHardlyOfDisplay ? doubts + 1 : 0
            if doubts >= Self.trial / 2 { return letGo(returned) }
            if run < Self.longestTrial { return }
            if !line.isOfDisplay { return letGo(returned) }
        }
        (standing, doubts) = (.locked, 0)
        trialInterval = Self.trialIntervals.first
        take(line)
    }

    private mutating func letGo(_ time: HostTime) {
        standing = .free
        (period, anchor, jitter) = (stated, time, 0)
        usualDuration = window.medianDuration
        nextTrial = time.advanced(byNanoseconds: trialInterval)
        trialInterval = min(2 * trialInterval, Self.trialIntervals.longest)
        window.removeAll()
        doubts = 0
    }

    private mutating func follow(_ handedOver: HostTime, _ returned: HostTime) {
        // From the refresh that the swap before belongs to, not from its return, which may have been late.
        let steps = (Double(returned.nanoseconds(since: anchor ?? returned)) / period).rounded()
        window.append(handedOver, returned, steps: Int64(min(max(steps, -1e9), 1e9)))
        guard let line = window.line(prior: period) else { return }
        take(line)
        doubts = line.isOfDisplay || !line.canTell ? 0 : doubts + 1
        // Where all swaps are two refreshes apart, it is refreshes that are twice as far apart.
        if doubts >= Self.patience || (window.count >= Self.patience && window.commonStep > 1) { learn() }
    }

    private mutating func take(_ line: SwapWindow.Line) {
        (period, anchor, jitter) = (line.period, line.refresh, line.spread)
    }

    /// A swap that takes its time again may wait for a display that has woken up.
    private mutating func watch(_ duration: Int64, _ returned: HostTime) {
        doubts = Double(duration) > 2 * usualDuration + 2e6 ? doubts + 1 : 0
        if doubts >= Self.patience || nextTrial.map({ returned >= $0 }) ?? true { learn() }
    }
}
