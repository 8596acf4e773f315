package import TuttiCore

/// Fits the linear map between this host's clock and the frames that leave a sound card.
///
/// Feed it every reading of the card's position; see `StripFit` for how it fits. It can tell the finer than a step only
/// from readings at varied distances from the steps: a caller that always reads right after a step learns no more than
/// that the step lies somewhere before. What lies behind the pointer (converter, amplifier) cannot be observed.
///
/// RT: `observe` and `estimate` take bounded time and allocate nothing. The value holds its storage inline (about 8
/// KB), so it is kept in one place and mutated there.
package struct DACModel: Sendable {
    /// How fast a card's rate wanders: 1e-4 ppm² a second, as ratio² a nanosecond.
    static let wander = 1e-4 * 1e-12 / 1e9
    /// How fast a rate may drift steadily, as ratio a nanosecond: 1.2 ppm a minute, for a room that is being heated.
    static let drifting = 2e-8 / 1e9
    /// Nanoseconds of readings that a fit uses: for pointers of few frames a step, and for coarser ones. A straight
    /// line through what bends by 1 ppm a minute is off by 0.2 µs, and 1.3 µs.
    static let window = (fine: 10e9, coarse: 25e9)
    /// Readings before the first estimate, and the nanoseconds that they span: more while the rate is unknown, as the
    /// line is to be drawn on beyond them.
    static let least = (readings: 4, span: 15e6, spanWithRate: 1e6)
    /// A rate is known when its standard deviation is no larger.
    static let knownRateSigma = 5e-6
    /// Nanoseconds of readings before the first fit once the rate has changed at once: until then the line before is
    /// drawn on.
    static let leastSpanAnew = 0.2e9
    /// Readings in a row off the fit that mean that the card jumped.
    static let outliersToRestart = 20
    /// The longest that a pointer stands between two steps, ns: 2400 frames at 48 kHz. Readings so late are none of a
    /// jump.
    static let longestStep = 50e6
    /// Standard deviation of the rate when nothing is remembered: sound cards are within ±200 ppm.
    static let unknownRateSigma = 100e-6

    /// Nanoseconds that a frame nominally lasts.
    private let frame: Double
    private let kind: CardKind
    private var anchor: (host: Int64, frames: Int64)?
    private var last: (host: Int64, frames: Int64) = (0, 0)
    private var step = StepSize()
    private var fit = StripFit()
    private var state: LineState?
    private var fittedAt = -Double.infinity
    private var prior: (slope: Double, variance: Double)
    /// Whether the prior is older than all readings since the card began.
    private var isRemembered = false
    /// A fit that becomes the prior once none of its readings is in the window.
    private var snapshot: LineState?
    private var outliers = 0
    private var haste = Haste()
    private var bend = Bend()
    private var challenger = Challenger()
    /// Where readings begin to count: 0, or where the rate changed at once.
    private var begin = 0.0
    /// Whether the rate has changed there.
    private var isAnew = false
    private var onset = Onset()
    /// How often the line was given up for that of newer readings.
    package private(set) var replacements = 0
    /// Readings that did not fit the line and were left out.
    package private(set) var ignored = 0

    /// A model of a card that nominally plays `nominalRate` frames a second.
    ///
    /// - Parameters:
    ///   - rememberedPpm: how much faster it ran before and that number's standard deviation, in ppm.
    /// - Precondition: `nominalRate` is positive.
    package init(nominalRate: Double, kind: CardKind, rememberedPpm: (value: Double, sigma: Double)? = nil) {
        precondition(nominalRate > 0, "a card's rate is positive")
        frame = 1e9 / nominalRate
        self.kind = kind
        if let remembered = rememberedPpm, abs(remembered.value) < 500, remembered.sigma.isFinite {
            let sigma = max(abs(remembered.sigma), 0.05) * 1e-6
            (prior, isRemembered) = ((remembered.value * 1e-6, sigma * sigma), true)
        } else {
            prior = (0, Self.unknownRateSigma * Self.unknownRateSigma)
        }
    }

    /// Takes a reading: at `hostTime` the card had played `playedFrames` since it was opened. RT.
    ///
    /// Readings that go back in time or position, or lie off the line, are left out; twenty of those in a row start
    /// anew. So are those that took much longer than usual to ask for: whoever was interrupted between clock and
    /// pointer has two numbers that do not belong together, and one such reading would spoil an edge for as long as the
    /// window lasts.
    ///
    /// - Parameter asking: how long the question took, in nanoseconds; 0 when that is not known.
    package mutating func observe(hostTime: HostTime, playedFrames: Int64, asking: Int64 = 0) {
        guard haste.isUsual(asking, step: stepNanoseconds) else { return }
        let origin = anchor ?? (hostTime.nanoseconds, playedFrames)
        let x = Double(Nanoseconds.subtract(hostTime.nanoseconds, origin.host))
        let played = Double(Nanoseconds.subtract(playedFrames, origin.frames))
        // Half the range where doubles hold every integer: 52 days.
        guard abs(x) < 4.5e15, abs(played) < 4.5e15 else { return restart() }
        if anchor != nil, hostTime.nanoseconds <= last.host || playedFrames < last.frames { return leaveOut() }
        guard onset.isOver(at: playedFrames) else { return }
        let y = played * frame - x
        // Where the rate has changed at once, readings go off the line before they show it: none of them is an outlier
        // then.
        if bend.isShown(x: x, y: y, frame: frame) { startAnew(at: x) }
        if isOutlier(x: x, y: y) { return leaveOut() }
        precondition(x >= begin, "readings come in order")
        outliers = 0
        anchor = origin
        last = (hostTime.nanoseconds, playedFrames)
        step.observe(playedFrames)
        fit.append(x: x, y: y)
        challenger.append(x: x, y: y, after: begin)
        refit(at: x)
    }

    /// The card stopped (an xrun): forgets the position, keeps the rate and the size of the steps. RT.
    package mutating func restart() {
        if let state {
            (prior, isRemembered) = ((state.slope, state.slopeVariance + 0.25e-12), true)
        }
        anchor = nil
        state = nil
        snapshot = nil
        outliers = 0
        fittedAt = -.infinity
        (bend, begin, isAnew) = (Bend(), 0, false)
        fit.removeAll()
        challenger.removeAll()
        onset = Onset()
        step.restart()
    }

    /// The rate has changed at once: what was learnt of it counts no more. The fit before holds meanwhile.
    private mutating func startAnew(at x: Double) {
        prior = (state?.slope ?? prior.slope, Self.unknownRateSigma * Self.unknownRateSigma)
        snapshot = nil
        (bend, begin, isAnew) = (Bend(), x, true)
        fit.removeAll()
        challenger.removeAll()
    }

    /// Older readings do not belong to the newer ones: takes these alone.
    private mutating func takeOver() {
        precondition(challenger.fit.count > 0, "a challenger wins by its readings")
        (fit, begin, isAnew) = (challenger.fit, challenger.begin, false)
        challenger.removeAll()
        snapshot = nil
        replacements += 1
    }

    /// The line as of the last reading, or nil before enough of them. RT.
    package var estimate: DACEstimate? {
        guard let state, let anchor else { return nil }
        let whole = state.x.rounded(.down)
        let position = (whole + state.value + state.slope * (whole - state.x)) / frame
        let floor = position.rounded(.down)
        return DACEstimate(
            referenceHostNanoseconds: Nanoseconds.add(anchor.host, Nanoseconds.rounded(whole)),
            referenceFrame: Nanoseconds.add(anchor.frames, Nanoseconds.rounded(floor)),
            referenceFrameFraction: position - floor, framesPerNanosecond: (1 + state.slope) / frame,
            positionSigma: state.valueVariance.squareRoot(), ppm: state.slope * 1e6,
            ppmSigma: state.slopeVariance.squareRoot() * 1e6)
    }

    /// When an output frame leaves the card, or nil before there is an estimate. RT.
    package func hostTime(ofFrame frame: Int64) -> (nanoseconds: Int64, fraction: Double)? {
        estimate?.hostTime(ofFrame: frame)
    }

    /// Nanoseconds from the first reading that counts to the newest. RT.
    package var observedNanoseconds: Int64 {
        // Where the rate has changed the fit before holds, and has been known for as long.
        anchor.map { Nanoseconds.subtract(last.host, $0.host) - (isAnew ? 0 : Nanoseconds.rounded(begin)) } ?? 0
    }

    /// The size of the pointer's steps as it shows in the readings, frames: 1 for an exact one, 0 when not known. RT.
    package var stepFrames: Int64 { step.frames }

    /// When a pointer that stands at `playedFrames` is to move next, and how far off that may be, in ns; nil when it is
    /// not known, or the pointer moves in uneven steps. RT.
    package func nextMovement(after playedFrames: Int64) -> (time: HostTime, margin: Int64)? {
        guard let estimate, stepFrames > 0, fit.width < 1.3 * stepNanoseconds else { return nil }
        let time = estimate.hostTime(ofFrame: Nanoseconds.add(playedFrames, stepFrames)).nanoseconds
        return (HostTime(nanoseconds: time), Nanoseconds.rounded(4 * estimate.positionSigma))
    }

    // MARK: Fitting

    /// The step in nanoseconds; before any is seen, one that suits the kind of card.
    private var stepNanoseconds: Double {
        step.frames > 0 ? Double(step.frames) * frame : max(frame, 3.46 * kind.observationSigma)
    }

    private func isOutlier(x: Double, y: Double) -> Bool {
        guard let state, fit.count >= 8 else { return false }
        let ahead = state.moved(to: x, wander: Self.wander)
        let late = ahead.value - y
        let margin = 6 * ahead.valueVariance.squareRoot() + 3 * kind.observationSigma + 2 * frame
        let height = max(min(stepNanoseconds, Self.longestStep), fit.width)
        return late < -margin || late > height + margin
    }

    private mutating func leaveOut() {
        ignored += 1
        outliers += 1
        if outliers >= Self.outliersToRestart { restart() }
    }

    private mutating func refit(at x: Double) {
        let isCoarse = stepNanoseconds > 5 * frame || fit.width > 5 * frame
        let oldest = x - (isCoarse ? Self.window.coarse : Self.window.fine)
        fit.removeReports(before: oldest)
        if let snapshot, snapshot.x <= fit.firstX {
            let age = x - snapshot.x
            let drift = Self.drifting * age
            prior = (snapshot.slope, snapshot.slopeVariance + Self.wander * age + drift * drift + 4e-16)
            (self.snapshot, isRemembered) = (nil, false)
        }
        // Every reading counts at first; later a fit every 20 ms follows as well and costs less, and once the window is
        // full one every 50.
        let isRateKnown = prior.variance <= Self.knownRateSigma * Self.knownRateSigma
        guard x >= (isRateKnown ? Self.least.spanWithRate : Self.least.span), fit.count >= Self.least.readings else {
            return
        }
        let isTooSoon = isAnew && x - begin < Self.leastSpanAnew
        let pause = x < 1e9 ? 0 : x < Self.window.fine ? 20e6 : 50e6
        guard !isTooSoon, x - fittedAt >= pause else {
            state = state?.moved(to: x, wander: Self.wander)
            return
        }
        fittedAt = x
        var fitted = fitted(at: x)
        if challenger.wins(
            against: fit, since: begin, at: x, step: stepNanoseconds, frame: frame, slope: prior.slope,
            variance: prior.variance)
        {
            takeOver()
            fitted = self.fitted(at: x)
        }
        if isRemembered, fit.isWiderThanNeeded(at: x, step: stepNanoseconds, frame: frame) {
            // The rate is another one than it was.
            (prior.variance, isRemembered, snapshot) = (Self.unknownRateSigma * Self.unknownRateSigma, false, nil)
            fitted = self.fitted(at: x)
        }
        state = fitted
        guard x - begin >= 5e9 else { return }
        if snapshot == nil { snapshot = fitted }
        bend.note(fitted, height: max(stepNanoseconds, fit.width), frame: frame)
    }

    private mutating func fitted(at x: Double) -> LineState {
        fit.fit(at: x, step: stepNanoseconds, frame: frame, slope: prior.slope, variance: prior.variance)
    }
}
