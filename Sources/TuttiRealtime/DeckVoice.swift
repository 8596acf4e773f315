import TuttiPlayback

/// The render thread's half of a deck: where it stands, the loop that keeps it there, and its fades.
///
/// RT except for `init` and `program`.
struct DeckVoice: ~Copyable {
    /// What the voice does at the moment.
    enum Phase {
        /// It has yet to start, or has lost its data or place and starts again as soon as it can.
        case waiting
        /// It plays.
        case running
    }

    /// Seconds of crossfade at a jump, and of fade at a gap.
    enum Fade {
        static let crossfade = 0.007
        static let gap = 0.005
        /// Nanoseconds off its place that are worked off even where a jump would be in order.
        static let trifle = 20_000.0
    }

    let outputRate: Double
    var run: DeckRun
    var correction = Correction.on
    var resampler: DriftResampler
    var loop: RateLoop
    /// Source frames an output frame for perfect clocks.
    var nominalRatio: Double
    /// The step at the end of this period.
    var ratio: Double
    /// The step at its beginning.
    var startRatio: Double
    /// How far a reference room is on its way from filtered frames to copied ones.
    var alignment = Alignment()
    /// What follows the end of a source.
    let silentFrames: UnsafeMutablePointer<Float>
    static let silentCount = 64
    var phase = Phase.waiting
    /// True from the first period that should have sounded until data is back.
    var isStalled = false
    /// Whether the voice has sounded before.
    var hasStarted = false
    /// Seconds of fade-in that the next start is to have at least.
    var restartFade = 0.0
    var fadeInLength = 0
    var fadeInPlayed = 0
    /// Frames of the fade-out played; nil before it began.
    var fadeOutPlayed: Int?
    var tail: FadeTail
    /// Where in the period there is sound, onset and end of the filter included.
    var sound = SoundSpan()
    /// Whether the end has been played, which the worker is told once the period is done.
    var hasFinished = false

    init(outputRate: Int) {
        self.outputRate = Double(outputRate)
        run = DeckRun(
            sourceRate: outputRate, anchorFrame: 0, anchorGroupNanoseconds: 0, anchorFraction: 0,
            startGroupNanoseconds: .max)
        resampler = DriftResampler(sourceRate: Double(outputRate), outputRate: Double(outputRate))
        loop = RateLoop(nominalRatio: 1)
        nominalRatio = 1
        ratio = 1
        startRatio = 1
        silentFrames = .allocate(capacity: 2 * Self.silentCount)
        silentFrames.initialize(repeating: 0, count: 2 * Self.silentCount)
        tail = FadeTail(capacity: Int(Double(outputRate) * Fade.crossfade))
    }

    deinit { silentFrames.deallocate() }

    /// Prepares for a new run; only while the worker owns the deck.
    mutating func program(_ newRun: DeckRun, correction newCorrection: Correction) {
        let sourceRate = Double(newRun.sourceRate)
        let bypass = newCorrection == .off && sourceRate == outputRate
        if newRun.sourceRate != run.sourceRate || bypass != resampler.isBypassed {
            resampler = DriftResampler(sourceRate: sourceRate, outputRate: outputRate, bypass: bypass)
        }
        run = newRun
        correction = newCorrection
        nominalRatio = sourceRate / outputRate
        ratio = nominalRatio
        startRatio = nominalRatio
        loop = RateLoop(nominalRatio: nominalRatio)
        (phase, isStalled, hasStarted, hasFinished, restartFade) = (.waiting, false, false, false, 0)
        (fadeInLength, fadeInPlayed, fadeOutPlayed) = (0, 0, nil)
        alignment = Alignment()
        tail.clear()
    }

    /// The source frame, counted from the deck's frame 0, that belongs to the period's first output frame.
    func wantedPosition(_ period: RenderPeriod) -> Double {
        let (difference, overflow) = period.groupNanoseconds.subtractingReportingOverflow(run.anchorGroupNanoseconds)
        let elapsed = overflow ? 0 : Double(difference) + (period.groupFraction - run.anchorFraction)
        return Double(run.anchorFrame) + elapsed * Double(run.sourceRate) * 1e-9
    }

    /// The source frame that the next output frame is made at.
    var position: Double {
        let (whole, fraction) = resampler.position
        return Double(whole) + fraction
    }

    /// The step that clock and card ask for, inside the loop's limits.
    func feedForward(_ period: RenderPeriod) -> Double {
        guard correction == .on, period.isUsable else { return nominalRatio }
        let step = period.groupNanosecondsPerFrame * Double(run.sourceRate) * 1e-9
        let limit = nominalRatio * loop.parameters.totalLimit * 1e-6
        return min(max(step, nominalRatio - limit), nominalRatio + limit)
    }

    /// Output frames of `seconds`.
    func frames(_ seconds: Double) -> Int { Int(min(seconds, 60) * outputRate) }
}
