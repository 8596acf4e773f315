import TuttiPlayback

extension DeckVoice {
    /// Makes the period's frames at `output` if the deck is armed or playing. In any other state the voice is the
    /// worker's and is not looked at.
    ///
    /// - Returns: where in the period there is sound, onset and end of the filter included; nil when the deck has
    ///   nothing to say (the frames are then undefined).
    static func render(
        _ voice: UnsafeMutablePointer<DeckVoice>, _ period: RenderPeriod, _ shared: UnsafeMutablePointer<DeckShared>,
        into output: UnsafeMutablePointer<Float>, _ report: inout RenderReport
    ) -> SoundSpan? {
        let state = shared.pointee.currentState
        guard state == .armed || state == .playing else { return nil }
        let span = voice.pointee.make(period, shared, into: output, &report) ? voice.pointee.sound : nil
        // Last of all: from then on the voice is the worker's, which may begin to program it at once.
        if voice.pointee.hasFinished { shared.pointee.setState(.finished) }
        return span
    }

    /// - Returns: whether there is something to say.
    private mutating func make(
        _ period: RenderPeriod, _ shared: UnsafeMutablePointer<DeckShared>, into output: UnsafeMutablePointer<Float>,
        _ report: inout RenderReport
    ) -> Bool {
        let frames = period.frameCount
        let fadeOutStart = findFadeOut(period, shared)
        if phase == .waiting, !tail.isActive, let fadeOutStart, fadeOutStart == 0 {
            hasFinished = true
            return false
        }
        let goesOn = phase == .running || tail.isActive
        if phase == .running { observe(period, &report, shared, output) }
        var first = 0
        if phase == .waiting {
            first = beginIfDue(period, shared, &report)
            if first == frames && !tail.isActive {
                tail.remember(silence(output, frames), frames: frames)
                return false
            }
        }
        output.update(repeating: 0, count: 2 * first)
        sound = SoundSpan(first: goesOn ? 0 : first, end: frames)
        var end = frames
        if phase == .running {
            let made = produce(
                shared, output + 2 * first, frames - first, from: startRatio, to: ratio)
            startRatio = ratio
            fadeIn(output + 2 * first, made)
            end = first + made
        }
        output.advanced(by: 2 * end).update(repeating: 0, count: 2 * (frames - end))
        tail.overlay(output, from: 0, to: frames)
        if phase == .running { settle(end, frames, shared, output, &report) }
        tail.remember(output, frames: frames)
        if let fadeOutStart { fadeOut(output, from: fadeOutStart, period, shared) }
        report.audibleDecks += 1
        report.isResampled = report.isResampled || !resampler.isBypassed
        report.hasOtherRate = report.hasOtherRate || nominalRatio != 1
        report.isBitExact =
            report.isBitExact && resampler.isBypassed && !tail.isActive && fadeInPlayed >= fadeInLength
            && fadeOutPlayed == nil
        return true
    }

    /// The loop's turn: counts the error, sets the step for the period, jumps where it must.
    private mutating func observe(
        _ period: RenderPeriod, _ report: inout RenderReport, _ shared: UnsafeMutablePointer<DeckShared>,
        _ output: UnsafeMutablePointer<Float>
    ) {
        startRatio = ratio
        if period.isDiscontinuity {
            // What was played is lost already: nothing to fade out. Without a clock it is silent until there is one.
            report.reanchors += 1
            restart(after: Fade.gap)
            return
        }
        guard period.isUsable else { return }
        let error = (position - wantedPosition(period)) / Double(run.sourceRate) * 1e9
        report.hasError = true
        report.errorNanoseconds = error
        guard correction == .on else { return }
        if changesCopying(period) {
            report.crossfades += 1
            playOut(frames(Fade.crossfade), shared)
            return restart(after: Fade.crossfade)
        }
        let decision = loop.update(
            errorNanoseconds: error, feedForward: feedForward(period),
            periodNanoseconds: Double(period.frameCount) * period.groupNanosecondsPerFrame)
        ratio = resampler.isBypassed ? nominalRatio : decision.ratio
        report.ratioPPM = (ratio / nominalRatio - 1) * 1e6
        report.isLocked = loop.isLocked
        var action = decision.action
        // No error that has grown but one that was there unseen: to work it off would take as long again.
        // A room that copies frames leaves that to the line.
        if action == .slew, period.isRelocated, abs(error) > Fade.trifle, !resampler.isBypassed { action = .crossfade }
        guard action != .slew else {
            report.referenceNanoseconds = referenceError(period)
            return
        }
        let seconds = action == .crossfade ? Fade.crossfade : Fade.gap
        if action == .crossfade { report.crossfades += 1 } else { report.reanchors += 1 }
        playOut(frames(seconds), shared)
        restart(after: seconds)
    }

    /// Goes back to waiting; the next start, perhaps in this very period, fades in.
    private mutating func restart(after seconds: Double) {
        phase = .waiting
        restartFade = seconds
    }

    /// Makes what would have come next, to be faded out over what comes instead.
    private mutating func playOut(_ wanted: Int, _ shared: UnsafeMutablePointer<DeckShared>) {
        let count = min(wanted, tail.capacity)
        let made = produce(shared, tail.samples, count, from: startRatio, to: startRatio)
        if fadeInPlayed < fadeInLength {
            let gain = fade(Float(fadeInPlayed) / Float(fadeInLength))
            // Not through `tail`: the thread sanitizer's build of this compiler (6.3.1) cannot change what a pointer in
            // a stored value points to.
            let samples = tail.samples
            for index in 0..<(2 * made) { samples[index] *= gain }
        }
        if made < count { tail.mirror(tail.samples, made: made, from: made, to: count) }
        tail.start(frames: count)
    }

    /// The output frame at which a waiting voice starts to run; `frameCount` when it does not.
    private mutating func beginIfDue(
        _ period: RenderPeriod, _ shared: UnsafeMutablePointer<DeckShared>, _ report: inout RenderReport
    ) -> Int {
        guard period.isUsable else { return period.frameCount }
        switch tryStart(period, shared, &report) {
        case .at(let first):
            startRatio = ratio
            return first
        case .later: return period.frameCount
        case .starved(let from):
            report.underrunFrames += period.frameCount - from
            if !isStalled { report.stalls += 1 }
            isStalled = true
            return period.frameCount
        case .ended:
            if !tail.isActive { hasFinished = true }
            return period.frameCount
        }
    }

    /// Runs the resampler on what the ring has, and on silence once the source has ended; returns frames made.
    private mutating func produce(
        _ shared: UnsafeMutablePointer<DeckShared>, _ output: UnsafeMutablePointer<Float>, _ count: Int,
        from ratioStart: Double, to ratioEnd: Double
    ) -> Int {
        let sourceEnded = shared.pointee.hasSourceEnded
        let slope = count > 0 ? (ratioEnd - ratioStart) / Double(count) : 0
        var made = 0
        while made < count {
            let room = UnsafeMutableBufferPointer(start: output + 2 * made, count: 2 * (count - made))
            let from = ratioStart + slope * Double(made)
            let span = shared.pointee.ring.readableSpan(limit: .max)
            if span.count > 0 {
                let (consumed, produced) = resampler.process(
                    input: span, output: room, ratioStart: from, ratioEnd: ratioEnd)
                shared.pointee.ring.consume(consumed)
                made += produced
                if consumed == 0 && produced == 0 { break }
            } else {
                let quiet = UnsafeBufferPointer(start: silentFrames, count: sourceEnded ? 2 * Self.silentCount : 0)
                let (consumed, produced) = resampler.process(
                    input: quiet, output: room, ratioStart: from, ratioEnd: ratioEnd)
                made += produced
                if consumed == 0 { break }
            }
        }
        return made
    }

    /// After a running period: the end of the source, or a lack of data.
    private mutating func settle(
        _ end: Int, _ frames: Int, _ shared: UnsafeMutablePointer<DeckShared>, _ output: UnsafeMutablePointer<Float>,
        _ report: inout RenderReport
    ) {
        if end < frames {
            let count = self.frames(Fade.gap)
            tail.mirror(output, made: end, from: 0, to: count)
            tail.start(frames: count)
            tail.overlay(output, from: end, to: frames)
            report.underrunFrames += frames - end
            report.stalls += 1
            isStalled = true
            restart(after: Fade.gap)
            sound.end = min(frames, end + count)
        } else if shared.pointee.hasSourceEnded, !tail.isActive {
            let passed = position - Double(shared.pointee.ring.framesWritten + Int64(resampler.lookahead))
            guard passed >= 0 else { return }
            sound.end = frames - min(frames, Int(passed / ratio))
            hasFinished = true
        }
    }
}
