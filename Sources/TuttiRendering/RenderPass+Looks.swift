import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiOutput

/// The looks at the card's pointer that `LookPlan` asks for, and the way out of an xrun.
extension RenderPass {
    /// The longest that a step is waited for, in ns: somewhat more than a USB frame.
    private static let longestStep: Int64 = 1_200_000
    /// Questions in a row at most: far more than fit into a step.
    private static let mostQuestions = 16_384
    /// The latest that a card's first frame leaves after its start, in ns, with some to spare; the silence that a run
    /// usually begins on.
    private static let longestLatency: Int64 = 40_000_000
    private static let usualSilence: Int64 = 10_000_000
    /// The longest that a run's silence lasts, in ns, while its card fit is not known; and with what standard
    /// deviation it is, in ns.
    private static let (longestSilence, known) = (150_000_000 as Int64, 10_000.0)
    /// How much earlier than it is due, in ns, a coarse pointer's step is awaited: a sleep ends late.
    private static let sleepMargin: Int64 = 100_000

    /// What came of going to meet a step.
    private enum Meeting {
        /// The thread has waited for it.
        case met
        /// It comes later than a period from now, and later than a step.
        case tooFar
        /// Nobody knows when it comes.
        case unknown
    }

    /// Takes a reading in.
    mutating func observe(_ timing: OutputTiming) {
        queued = shape.bufferFrames - timing.writableFrames
        model.observe(hostTime: timing.hostTime, playedFrames: timing.playedFrames, asking: timing.asking)
    }

    /// Wakes as often as the plan says.
    mutating func settleWaking() {
        let wanted = shape.depth(captureLatency: reference.captureLatency.load(ordering: .relaxed))
        if wanted != depth {
            depth = wanted
            counters.deviceDepth.store(shape.nanoseconds(Int64(depth)), ordering: .relaxed)
        }
        let kept = (shape.bufferFrames - depth) / shape.periodFrames
        let periods = kept > 0 ? kept + 1 : LookPlan.wakePeriods(age: model.observedNanoseconds, shape)
        if periods != device.wakePeriods { device.setWakePeriods(periods) }
    }

    /// The first questions are slow ones, whatever they are about.
    func warmUp() {
        for _ in 0..<4 { _ = device.timing() }
    }

    /// After each wake-up.
    mutating func lookBetweenPeriods() {
        let (watch, looks) = lookPlan.next(
            age: model.observedNanoseconds, step: model.stepFrames,
            periods: max(1, device.wakePeriods - (shape.bufferFrames - depth) / shape.periodFrames))
        switch watch {
        case .none: break
        case .now: watchStep(for: stepLimit)
        case .meet(let remedy):
            switch meetStep() {
            case .met: return
            case .tooFar: break
            case .unknown:
                if remedy == .always || (remedy == .seldom && random.next() % 8 == 0) { watchStep(for: stepLimit) }
            }
        }
        switch looks {
        case .none: break
        case .now: lookNow()
        case .random(let count):
            let span = shape.period / 2 / Int64(count)
            for _ in 0..<count where !lookAtRandom(within: span) { return }
        }
    }

    /// Gets the card going after an xrun.
    ///
    /// The run begins on a little silence. While half of that is played, however late the card begins with it, the
    /// pointer is watched closely, so that what follows it is in step from its first frame; the rate is known from
    /// before. Where the pointer moves too seldom for that, silence lasts until the card fit is known.
    ///
    /// - Returns: false when the device is lost.
    mutating func recover() -> Bool {
        counters.xruns.wrappingAdd(1, ordering: .relaxed)
        counters.tell()
        let now = clock.now()
        let silence = recoverySilence.next(
            rate: shape.sampleRate, buffer: shape.bufferFrames, period: shape.periodFrames, step: model.stepFrames,
            after: now.nanoseconds - cardRun.began.nanoseconds)
        do {
            try device.recover(silence: silence)
        } catch {
            return false
        }
        cardRun.restart(at: clock.now())
        guard let first = device.timing() else { return true }
        enter(first.generation)
        // Where other rooms have the same card, it has not begun anew, and holds more.
        let ahead = max(silence, shape.bufferFrames - first.writableFrames)
        queued = ahead
        let length = shape.nanoseconds(Int64(ahead))
        let deadline = first.hostTime.advanced(byNanoseconds: length + Self.longestLatency)
        let end = deadline.advanced(byNanoseconds: min(3 * stepNanoseconds, Self.longestSilence))
        while true {
            watchStep(for: stepLimit)
            guard lookAtRandom(within: min(length, Self.usualSilence) / 16) else { return true }
            let now = clock.now()
            guard now >= deadline || queued <= ahead / 2 else { continue }
            if isLineKnown || now >= end { return true }
            guard staySilent() else { return false }
        }
    }

    /// Whether frames are known to leave when the model has it, as far as anybody would hear or measure.
    private var isLineKnown: Bool { model.estimate.map { $0.positionSigma < Self.known } ?? false }

    /// Writes another period of silence if there is room.
    ///
    /// - Returns: false when the device is lost.
    private mutating func staySilent() -> Bool {
        guard let timing = device.timing(), timing.generation == cardRun.generation,
            timing.writableFrames >= shape.periodFrames
        else {
            return true
        }
        return writeSilence() != OutputWait.lost.rawValue
    }

    /// One look.
    private mutating func lookNow() {
        guard let timing = device.timing(), timing.generation == cardRun.generation else { return }
        observe(timing)
    }

    /// One look after a random pause of up to `nanoseconds`.
    ///
    /// - Returns: false when the run is over.
    private mutating func lookAtRandom(within nanoseconds: Int64) -> Bool {
        RealtimeThread.pause(nanoseconds: Int64(random.next() % UInt64(max(nanoseconds, 1))))
        // The first question after a sleep is a slow one.
        _ = device.timing()
        guard let timing = device.timing(), timing.generation == cardRun.generation else { return false }
        observe(timing)
        return true
    }

    /// For how long a step is watched for when it may come at any time, in ns: somewhat longer than one.
    private var stepLimit: Int64 {
        let step = stepNanoseconds + stepNanoseconds / 10
        return step > 0 ? min(step, Self.longestStep) : Self.longestStep
    }

    /// How long a step of the pointer lasts, in ns; 0 when that is not known.
    private var stepNanoseconds: Int64 { shape.nanoseconds(min(model.stepFrames, 1 << 24)) }

    /// Sleeps until shortly before a coarse pointer is to move, and watches it move. A step of milliseconds is so known
    /// to some microseconds, for a tenth of a millisecond of watching.
    private mutating func meetStep() -> Meeting {
        guard let timing = device.timing(), timing.generation == cardRun.generation,
            let next = model.nextMovement(after: timing.playedFrames)
        else { return .unknown }
        let margin = min(next.margin + Self.sleepMargin, Self.longestStep / 2)
        let pause = next.time.nanoseconds - timing.hostTime.nanoseconds - margin
        // Before a step that is longer than a period is over there is no room for one either.
        guard pause < max(shape.period, stepNanoseconds) else { return .tooFar }
        RealtimeThread.pause(nanoseconds: max(pause, 1))
        // Who does not meet it has a wrong line, and looking where that says would never show it.
        return watchStep(for: 2 * margin + Self.sleepMargin) ? .met : .unknown
    }

    /// Looks again and again until the pointer moves, which shows the step between two readings some microseconds
    /// apart; gives up after `limit` ns.
    ///
    /// - Returns: whether it has moved.
    @discardableResult
    private mutating func watchStep(for limit: Int64) -> Bool {
        guard var before = device.timing(), before.generation == cardRun.generation else { return false }
        let end = before.hostTime.advanced(byNanoseconds: limit)
        for _ in 0..<Self.mostQuestions where before.hostTime < end {
            guard let after = device.timing(), after.generation == cardRun.generation else { return false }
            if after.playedFrames != before.playedFrames {
                observe(before)
                observe(after)
                return true
            }
            before = after
        }
        observe(before)
        return false
    }
}
