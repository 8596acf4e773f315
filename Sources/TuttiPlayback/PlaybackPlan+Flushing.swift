package import TuttiCore

extension PlaybackPlan {
    /// Audio from `time` on is gone, or all of it. What comes there instead follows what is before it without a seam,
    /// if there is time for that.
    package mutating func flushed(from time: MediaTime?, _ moment: Moment) -> [Effect] {
        guard let time else { return replaceAll(moment) }
        if let position = moment.position, position <= time { return reopen(moment) }
        switch state {
        case .running(let run) where time > run.start:
            let frame = (time - run.start).frame(at: run.sampleRate)
            let missing = frame - moment.framesWritten(to: run.deck)
            // The deck has nothing of it yet.
            if missing >= 0 { return [.keepRest(frames: Int(clamping: missing)), .seek(to: time)] }
            if let takeBack = takeBack(run, frame, for: .replacement(from: time), moment) {
                return [.takeBack(takeBack)]
            }
        case .prerolling(let preroll, let start) where preroll.start <= time:
            // What waits is decoded again.
            let place = preroll.isSeam ? preroll.start : wantedStart(preroll, moment)
            return [restage(at: place, start: start, isSeam: preroll.isSeam)]
        case .idle, .prerolling, .running: break
        }
        return replace(from: time, moment)
    }

    /// The end of the stream is known, or known to be elsewhere.
    package mutating func endMoved(_ moment: Moment) -> [Effect] { reopen(moment) }

    /// Whether a deck has given back what it was to.
    package mutating func tookBack(_ takeBack: TakeBack, isDone: Bool, _ moment: Moment) -> [Effect] {
        guard case .running(var run) = state, run.deck == takeBack.deck else { return [] }
        if isDone {
            run.isFinished = false
            state = .running(run)
        }
        switch takeBack.purpose {
        case .replacement(let time): return isDone ? [.seek(to: time)] : replace(from: time, moment)
        case .more:
            if !isDone { follow(run, moment) }
            return []
        }
    }

    /// What had run into the end, or waits for more, looks again.
    private mutating func reopen(_ moment: Moment) -> [Effect] {
        switch state {
        case .prerolling(var preroll, let start):
            preroll.reopen()
            state = .prerolling(preroll, start: start)
        case .running(let run) where run.isFinished:
            let frame = moment.framesWritten(to: run.deck)
            if let takeBack = takeBack(run, frame, for: .more, moment) { return [.takeBack(takeBack)] }
            follow(run, moment)
        case .idle, .running: break
        }
        return []
    }

    /// The deck rings out; what follows is another one's.
    private mutating func follow(_ run: Run, _ moment: Moment) {
        guard let position = moment.position else { return }
        state = .prerolling(Preroll(start: position, isSeam: true), start: run.timebase)
    }

    /// Lets a run resume at a frame, unless the render thread has read it already or comes to it too soon. That thread
    /// is ahead of what plays by what the card holds and by the output's delay, which may be seconds; so where it
    /// stands says whether, and not the time.
    ///
    /// - Returns: what the deck is to be asked; nil when it is too late anyhow.
    private func takeBack(_ run: Run, _ frame: Int64, for purpose: TakeBack.Purpose, _ moment: Moment) -> TakeBack? {
        guard moment.decks?[run.deck].state == .armed else {
            let margin = Int64(run.sampleRate) * Self.trimLead / 1_000
            return TakeBack(deck: run.deck, frame: frame, margin: margin, purpose: purpose)
        }
        // It has not begun to read. Whoever lies so far ahead that it does not begin meanwhile may have any frame.
        let place = run.start + MediaTime(frame: frame, sampleRate: run.sampleRate)
        guard let left = moment.nanoseconds(until: run.timebase.groupTime(of: place)),
            left > moment.changeLead + Self.trimLead * 1_000_000
        else { return nil }
        return TakeBack(deck: run.deck, frame: frame, margin: 0, purpose: purpose)
    }

    /// What plays ends where `time` is, and another deck begins there.
    private mutating func replace(from time: MediaTime, _ moment: Moment) -> [Effect] {
        guard let timebase = runningTimebase(moment), let instant = timebase.groupTime(of: time) else {
            return replaceAll(moment)
        }
        var effects: [Effect] = []
        // A run that nobody knows of yet, if all of it is gone: its deck is free a period later, so that what comes
        // instead does not wait for the other deck.
        if let run, time <= run.start, moment.decks?[run.deck].state == .armed { effects.append(retract(run.deck)) }
        effects += end(at: lastInstant(before: time, on: timebase, moment), moment)
        let isBehindStart = time > timebase.mediaTime
        let start = isBehindStart ? Timebase(rate: timebase.rate, mediaTime: time, groupTime: instant) : timebase
        return effects + [restage(at: max(time, timebase.mediaTime), start: start)]
    }

    /// What plays ends now, and the stream begins where it belongs.
    private mutating func replaceAll(_ moment: Moment) -> [Effect] {
        let timebase = runningTimebase(moment)
        let effects = end(at: .min, moment)
        switch state {
        case .idle: return effects
        case .prerolling(let preroll, _):
            return effects + [restage(at: wantedStart(preroll, moment), start: timebase)]
        case .running(let run):
            let timebase = timebase ?? run.timebase
            return effects + [restage(at: timebase.mediaTime, start: timebase)]
        }
    }

    /// The timebase that something plays on, or waits to play on.
    private func runningTimebase(_ moment: Moment) -> Timebase? {
        switch state {
        case .idle: nil
        case .prerolling(_, let start): start.map { moment.running($0) }
        case .running(let run): moment.running(run.timebase)
        }
    }

    /// Where a start is to be: where the last command puts the stream, though the start may have been put behind a gap
    /// there, or later because the command came too late.
    private func wantedStart(_ preroll: Preroll, _ moment: Moment) -> MediaTime {
        guard let timebase = moment.timebase else { return preroll.start }
        guard let now = moment.now, let playhead = timebase.mediaTime(at: now) else {
            return min(preroll.start, timebase.mediaTime)
        }
        return min(preroll.start, max(timebase.mediaTime, playhead))
    }

    /// Until when nothing of `time` or behind it plays, in group ns. Until `timebase` takes over, what sounds lies
    /// on the one before it, where `time` may be far away.
    private func lastInstant(before time: MediaTime, on timebase: Timebase, _ moment: Moment) -> Int64 {
        let start = timebase.groupTime.nanoseconds
        let instant = max(timebase.groupTime(of: time)?.nanoseconds ?? start, start)
        guard let now = moment.now, now.timescale == timebase.groupTime.timescale, start > now.nanoseconds,
            moment.timebase == timebase, let previous = moment.previousTimebase,
            previous.rate > 0, previous.groupTime.timescale == now.timescale,
            let earlier = previous.groupTime(of: time)
        else { return instant }
        return min(instant, earlier.nanoseconds)
    }
}

extension PlaybackPlan.Moment {
    /// Frames that a deck has been given; 0 without decks.
    func framesWritten(to side: DeckSide) -> Int64 { decks?[side].framesWritten ?? 0 }
}
