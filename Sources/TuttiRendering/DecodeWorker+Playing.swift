import Synchronization
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime

extension DecodeWorker {
    // MARK: Playing

    /// Keeps the deck that plays full.
    ///
    /// - Returns: milliseconds until it should be looked at again.
    func fillDeck() -> Int {
        // Without a programme nothing happens but by a signal.
        guard let cursor else { return 60_000 }
        guard var run else { return 250 }
        // Whoever ends the run clears the property; otherwise the changed copy goes back.
        defer { if self.run != nil { self.run = run } }
        if run.isFinished { return 250 }
        var samples = run.rest
        run.rest = []
        if !samples.isEmpty { push(samples, to: &run) }
        // Offline, time stands still meanwhile.
        let frames = Int64(run.sampleRate * Self.turnMilliseconds / 1_000)
        let turn = leads == .offline ? .max : run.deck.framesWritten + frames
        while run.rest.isEmpty && run.deck.writableFrames > 0 {
            if run.deck.framesWritten >= turn { return 0 }
            switch cursor.next() {
            case .chunk(let chunk):
                guard chunk.sampleRate == run.sampleRate else {
                    seam(to: chunk, from: &run)
                    return 4
                }
                samples = chunk.samples[...]
                push(samples, to: &run)
                noteFormat(chunk.format)
            case .gap(let time): return bridge(until: time, in: &run)
            case .starved: return awaitAudio(in: &run)
            case .ended:
                run.deck.finish()
                run.isFinished = true
                return 250
            }
        }
        return 250
    }

    func push(_ samples: ArraySlice<Float>, to run: inout ActiveRun) {
        let frames = samples.withUnsafeBufferPointer { run.deck.write(Span(_unsafeElements: $0)) }
        run.rest = samples.dropFirst(frames * 2)
    }

    func noteFormat(_ format: AudioFormat) {
        let isNew = programme.state.withLock { state in
            defer { state.decodedFormat = format }
            return state.decodedFormat != format
        }
        if isNew { programme.reference.noteSource(format) }
    }

    /// The sample rate changes: the deck rings out, and the other one begins exactly where it ends.
    func seam(to chunk: DecodedChunk, from run: inout ActiveRun) {
        run.deck.finish()
        stage = Stage(start: chunk.start, chunks: [chunk], isSeam: true)
        pendingStart = run.timebase
        self.run = nil
    }

    /// Nothing is held up to `time`: waits for it while there is time, then leaves silence.
    func bridge(until time: MediaTime, in run: inout ActiveRun) -> Int {
        guard let cursor, let now = groupNow(), let needed = run.timebase.groupTime(of: cursor.position) else {
            return 50
        }
        if needed.nanoseconds(since: now) > 300_000_000 { return 50 }
        let frames = Int((time - cursor.position).frame(at: run.sampleRate))
        if frames > run.sampleRate {
            restart(behind: cursor.position, at: time, run: &run)
            return 4
        }
        let written = run.deck.writeSilence(frames: max(frames, 0))
        cursor.skip(
            to: written >= frames
                ? time : cursor.position + MediaTime(frame: Int64(written), sampleRate: run.sampleRate))
        return 4
    }

    func restart(behind gap: MediaTime, at time: MediaTime, run: inout ActiveRun) {
        run.deck.finish()
        pendingStart = run.timebase
        restage(at: time, behind: gap)
        self.run = nil
    }

    /// Nothing is held: when the programme has moved past the cursor meanwhile, plays on from where it stands.
    func awaitAudio(in run: inout ActiveRun) -> Int {
        guard let cursor, let now = groupNow(), let playhead = run.timebase.mediaTime(at: now) else { return 50 }
        if playhead > cursor.position + MediaTime(frame: 1, sampleRate: 4) {
            let timebase = run.timebase
            endRun(at: .min)
            restage(at: playhead)
            pendingStart = timebase
        }
        return 20
    }
}
