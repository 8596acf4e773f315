import Synchronization
import TuttiCore
import TuttiPlayback
import TuttiRealtime

extension DecodeWorker {
    /// How far ahead of the render thread what a deck has can be replaced, in ms: what the card takes in one go, the filter, and some for this
    /// thread to get its turn.
    private static let trimLead: Int64 = 100

    /// Audio from `time` on is gone, or all of it. What comes there instead follows what is before it without a seam, if
    /// there is time for that.
    func flush(from time: MediaTime?) {
        if let time {
            if let cursor, cursor.position <= time { return reopen() }
            if trimRun(to: time) { return }
            if run == nil, let stage, stage.start <= time {
                // What waits is staged again.
                return restage(at: stage.isSeam ? stage.start : wantedStart, isSeam: stage.isSeam)
            }
        }
        guard let time, let line = runningLine, let instant = line.groupTime(of: time) else {
            let line = runningLine
            endRun(at: .min)
            if stage != nil { restage(at: wantedStart) }
            if let line { restart(line) }
            return
        }
        retractRun(behind: time)
        endRun(at: lastInstant(before: time, on: line))
        restage(at: max(time, line.mediaTime))
        let isBehindStart = time > line.mediaTime
        pendingStart =
            isBehindStart ? Timebase(rate: line.rate, mediaTime: time, groupTime: instant) : line
    }

    /// Takes a run back that nobody has heard of yet, if all of it is gone: its deck is free a period later, so that what comes instead
    /// does not wait for the other deck.
    private func retractRun(behind time: MediaTime) {
        guard let run, time <= run.start, run.deck.state == .armed else { return }
        ends[ObjectIdentifier(run.deck)] = .min
        run.deck.end(atGroupNanoseconds: .min, fadeOutNanoseconds: 0)
    }

    /// Until when nothing of `time` or behind it is heard. Until `line` takes over, what sounds lies on the line before it, where `time`
    /// may be far away.
    private func lastInstant(before time: MediaTime, on line: Timebase) -> Int64 {
        let start = line.groupTime.nanoseconds
        let instant = max(line.groupTime(of: time)?.nanoseconds ?? start, start)
        guard let now = groupNow(), now.timescale == line.groupTime.timescale, start > now.nanoseconds,
            let previous = programme.state.withLock({ $0.timebase == line ? $0.previousTimebase : nil }),
            previous.rate > 0, previous.groupTime.timescale == now.timescale,
            let earlier = previous.groupTime(of: time)
        else { return instant }
        return min(instant, earlier.nanoseconds)
    }

    /// The line that something plays on, or waits to play on: the command itself, since what waits may wait for a later
    /// place on it.
    var runningLine: Timebase? {
        guard let own = run?.timebase ?? pendingStart else { return nil }
        let command = programme.state.withLock { $0.timebase }
        guard let command, command.rate > 0 else { return own }
        return command
    }

    /// Where a stage is to begin: where the last command puts the programme, though the stage may have begun behind a
    /// gap there, or later because the command came too late.
    private var wantedStart: MediaTime {
        let start = stage?.start ?? .zero
        guard let line = programme.state.withLock({ $0.timebase }) else { return start }
        guard let now = groupNow(), let playhead = line.mediaTime(at: now) else { return min(start, line.mediaTime) }
        return min(start, max(line.mediaTime, playhead))
    }

    /// What had run into the end, or waits for more, looks again.
    func reopen() {
        stage?.hasEnded = false
        guard var run, run.isFinished, let cursor else { return }
        if reopen(&run, atFrame: run.deck.framesWritten) {
            self.run = run
            return
        }
        // The deck rings out; what follows is another one's.
        stage = Stage(start: cursor.position, isSeam: true)
        pendingStart = run.timebase
        self.run = nil
    }

    /// Takes back what the run has from `time` on. What comes there instead follows on the same deck, hence on the very frame, also
    /// where the card's rate is not corrected and the deck is not quite where its line has it.
    ///
    /// - Returns: false when `time` lies before the run, or too near to what the render thread has read.
    private func trimRun(to time: MediaTime) -> Bool {
        guard var run, time > run.start else { return false }
        let frames = (time - run.start).frame(at: run.sampleRate)
        let missing = frames - run.deck.framesWritten
        if missing >= 0 {
            // The deck has nothing of it yet.
            run.rest = run.rest.prefix(Int(missing) * 2)
        } else {
            guard reopen(&run, atFrame: frames) else { return false }
        }
        self.run = run
        cursor = DecodeCursor(programme: programme, position: time)
        return true
    }

    /// Lets the run go on at a frame, unless the render thread has read it already or comes to it too soon. That thread is ahead of what is heard
    /// by what the card holds and by the output's delay, which may be seconds; so where it stands says whether, and not the time.
    private func reopen(_ run: inout ActiveRun, atFrame frame: Int64) -> Bool {
        guard run.deck.state == .armed else {
            return run.reopen(atFrame: frame, margin: Int64(run.sampleRate) * Self.trimLead / 1_000)
        }
        // It has not begun to read. Whoever lies so far ahead that it does not begin meanwhile may have any frame.
        let place = run.start + MediaTime(frame: frame, sampleRate: run.sampleRate)
        guard let now = groupNow(), let instant = run.timebase.groupTime(of: place) else { return false }
        let lead = counters.changeLead + Self.trimLead * 1_000_000
        return instant.nanoseconds(since: now) > lead && run.reopen(atFrame: frame, margin: 0)
    }
}
