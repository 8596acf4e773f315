import TuttiCore

extension PlaybackPlan {
    /// How long before it is due audio that is not held is waited for, in ns.
    private static let gapNotice: Int64 = 300_000_000
    /// How far the playhead may move past what is held before the stream is joined anew.
    private static let starvation = MediaTime(frame: 1, sampleRate: 4)

    /// What there is at the place that is read next: for the preroll, or for the deck that plays.
    ///
    /// - Returns: nothing when nothing more can be prerolled for now.
    package mutating func read(_ reading: Reading, _ moment: Moment) -> [Effect] {
        switch state {
        case .idle: return []
        case .prerolling(var preroll, let start):
            let effect = preroll.take(reading)
            state = .prerolling(preroll, start: start)
            return effect.map { [$0] } ?? []
        case .running(var run):
            switch reading {
            case .audio(let start, let sampleRate, _):
                return sampleRate == run.sampleRate ? [.write(run.deck)] : seam(to: reading, at: start, from: run)
            case .gap(let time): return bridge(run, until: time, moment)
            case .starved: return awaitAudio(run, moment)
            case .ended:
                run.isFinished = true
                state = .running(run)
                return [.finish(run.deck), .lookAgain(milliseconds: 250)]
            }
        }
    }

    /// The sample rate changes: the deck rings out, and the other one begins exactly where it ends.
    private mutating func seam(to audio: Reading, at start: MediaTime, from run: Run) -> [Effect] {
        var preroll = Preroll(start: start, isSeam: true, needed: prerollMilliseconds)
        let effect = preroll.take(audio)
        state = .prerolling(preroll, start: run.timebase)
        return [.finish(run.deck)] + (effect.map { [$0] } ?? []) + [.lookAgain(milliseconds: 4)]
    }

    /// Nothing is held up to `time`: waits for it while there is time, then leaves silence.
    private mutating func bridge(_ run: Run, until time: MediaTime, _ moment: Moment) -> [Effect] {
        guard let position = moment.position,
            let left = moment.nanoseconds(until: run.timebase.groupTime(of: position)), left <= Self.gapNotice
        else { return [.lookAgain(milliseconds: 50)] }
        let frames = (time - position).frame(at: run.sampleRate)
        if frames > run.sampleRate {
            return [
                .finish(run.deck), restage(at: time, start: run.timebase, behind: position),
                .lookAgain(milliseconds: 4),
            ]
        }
        return [
            .writeSilence(run.deck, frames: Int(max(frames, 0)), until: time), .lookAgain(milliseconds: 4),
        ]
    }

    /// Nothing is held: when the playhead has moved past the place meanwhile, plays on from where it stands.
    private mutating func awaitAudio(_ run: Run, _ moment: Moment) -> [Effect] {
        guard let position = moment.position, let now = moment.now, let playhead = run.timebase.mediaTime(at: now)
        else { return [.lookAgain(milliseconds: 50)] }
        var effects: [Effect] = []
        if playhead > position + Self.starvation {
            effects = end(at: .min, moment) + [restage(at: playhead, start: run.timebase)]
        }
        return effects + [.lookAgain(milliseconds: 20)]
    }
}
