import TuttiCore
import TuttiPlayback

extension DecodeWorker {
    /// How far ahead of what is heard a deck can be cut short without a seam, in ns: what the card has queued, the filter, and
    /// some for the thread to get its turn.
    private static let trimLead: Int64 = 100_000_000

    /// Audio from `time` on is gone, or all of it. What comes there instead follows what is before it without a seam, if
    /// there is time for that.
    func flush(from time: MediaTime?) {
        if let time {
            if let cursor, cursor.position <= time { return reopen() }
            if trimRun(to: time) { return }
            if run == nil, let stage, stage.start <= time { return restage(stage) }
        }
        let timebase = run?.timebase ?? pendingStart
        if let time, let timebase, let instant = timebase.groupTime(of: time) {
            endRun(at: instant.nanoseconds)
            restage(at: max(time, stage?.start ?? time))
            pendingStart = Timebase(rate: timebase.rate, mediaTime: time, groupTime: instant)
        } else {
            endRun(at: .min)
            if let start = stage?.start { restage(at: start) }
            if let timebase { restart(timebase) }
        }
    }

    /// What had run into the end, or waits for more, looks again.
    func reopen() {
        stage?.hasEnded = false
        guard let run, run.isFinished, let cursor else { return }
        // The deck rings out; what follows is another one's.
        stage = Stage(start: cursor.position, isSeam: true)
        pendingStart = run.timebase
        self.run = nil
    }

    /// Lets the run end right before `time`, and what comes there follow from another deck.
    ///
    /// - Returns: false when `time` lies before the run, or too near to what is heard.
    private func trimRun(to time: MediaTime) -> Bool {
        guard var run, time > run.start else { return false }
        let frames = (time - run.start).frame(at: run.sampleRate)
        let missing = frames - run.deck.framesWritten
        if missing >= 0 {
            // The deck has nothing of it yet.
            run.rest = run.rest.prefix(Int(missing) * 2)
            self.run = run
            cursor = DecodeCursor(programme: programme, position: time)
            return true
        }
        guard let now = groupNow(), let instant = run.timebase.groupTime(of: time),
            instant.nanoseconds - now.nanoseconds > Self.trimLead
        else { return false }
        run.deck.finish(atFrame: frames)
        stage = Stage(start: time, isSeam: true)
        cursor = DecodeCursor(programme: programme, position: time)
        pendingStart = run.timebase
        self.run = nil
        return true
    }

    /// Stages what there is now for the same place.
    private func restage(_ old: Stage) {
        restage(at: old.start)
        stage?.isSeam = old.isSeam
    }
}
