import TuttiPlayback

extension DeckVoice {
    /// What a waiting voice found out.
    enum Start {
        /// It runs from this output frame of the period on.
        case at(Int)
        /// Its time has not come, or it lies before what the ring still has.
        case later
        /// Its time has come and the data has not.
        case starved(from: Int)
        /// Its time is past the end of the source.
        case ended
    }

    /// Puts a waiting voice exactly on its line if it can start in this period.
    ///
    /// Whole output frames before the start stay silent; what is left of the instant becomes the resampler's phase, so
    /// the first frame is as exact as any later one.
    mutating func tryStart(
        _ period: RenderPeriod, _ shared: UnsafeMutablePointer<DeckShared>, _ report: inout RenderReport
    ) -> Start {
        prepareStart(period)
        let step = feedForward(period)
        let joins = run.fadeInNanoseconds == 0 && !hasStarted
        let reach = Double(resampler.lookahead)
        let untilAudible = period.frames(until: run.startGroupNanoseconds)
        let untilStart = untilAudible - (joins ? reach / step : 0)
        // A start that lies on a frame but for rounding is on that frame; unfiltered frames go to the nearest one.
        var offset = max(0, (untilStart - (resampler.isBypassed ? 0.5 : 1e-6)).rounded(.up))
        let isLate = hasStarted || untilAudible < -1 || restartFade > 0
        // Sound begins with the filter's onset before frame 0, or with the oldest frame that is left.
        let oldest = Double(shared.pointee.ring.oldestIndex)
        let earliest = oldest == 0 ? -reach : oldest
        var place = wantedPosition(period) + offset * step
        if resampler.isBypassed {
            place = place.rounded()
            // Between two periods the start can turn out to have been a hair before the second: no reason to give up
            // its first frame.
            if place == 1, oldest == 0, !hasStarted { place = 0 }
        }
        if place < earliest {
            let skipped = ((earliest - place) / step - 1e-6).rounded(.up)
            offset += max(0, skipped)
            // What rounding leaves before the first frame there is would shift all that follow by one.
            place = max(place + max(0, skipped) * step, earliest)
        }
        guard offset < Double(period.frameCount) else { return .later }
        let first = Int(offset)
        let whole = Int64(place.rounded(.down))
        let sourceEnded = shared.pointee.hasSourceEnded
        let written = shared.pointee.ring.framesWritten
        if sourceEnded && whole >= written + Int64(resampler.lookahead) { return .ended }
        if !sourceEnded {
            // Once late, wait for more than a period, so that one packet does not start and stop the sound.
            let reserve = isLate || isStalled ? Double(run.sourceRate) * 0.02 : 0
            let needed = place + Double(period.frameCount - first) * step + reach + reserve
            if Double(written) <= needed {
                passOver(until: whole, shared, &report)
                return .starved(from: first)
            }
        }
        begin(at: whole, place - Double(whole), shared, countsSkipped: isLate, &report)
        let fadeSeconds = isLate ? max(restartFade, Fade.gap) : 0
        fadeInLength = max(frames(fadeSeconds), frames(Double(run.fadeInNanoseconds) * 1e-9))
        if hasStarted { fadeInLength = frames(fadeSeconds) }
        fadeInPlayed = 0
        ratio = resampler.isBypassed ? nominalRatio : step
        (phase, hasStarted, isStalled, restartFade) = (.running, true, false, 0)
        loop.restart()
        shared.pointee.setState(.playing)
        return .at(first)
    }

    /// Gives frames back to the writer whose time has passed, so that later ones find room.
    private func passOver(
        until whole: Int64, _ shared: UnsafeMutablePointer<DeckShared>, _ report: inout RenderReport
    ) {
        let before = shared.pointee.ring.readIndex
        let firstTap = whole - Int64(max(0, resampler.lookahead - 1))
        guard firstTap > before else { return }
        report.skippedFrames += Int(shared.pointee.ring.seek(to: firstTap) - before)
    }

    /// Sets the resampler and the ring's reader to a position.
    private mutating func begin(
        at whole: Int64, _ fraction: Double, _ shared: UnsafeMutablePointer<DeckShared>, countsSkipped: Bool,
        _ report: inout RenderReport
    ) {
        let firstTap = whole - Int64(max(0, resampler.lookahead - 1))
        let oldest = shared.pointee.ring.oldestIndex
        let before = shared.pointee.ring.readIndex
        let input = resampler.setPhase(whole: whole, fraction: fraction, firstAvailable: max(firstTap, oldest))
        shared.pointee.ring.seek(to: input)
        if countsSkipped && input > before { report.skippedFrames += Int(input - before) }
    }
}
