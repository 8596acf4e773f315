import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRendering

/// What the programme says, by the rules of the decode worker.
extension CoarseRenderer {
    /// Sound that counts as ready to begin; what is decoded ahead; what is waited for before a gap is left as it is.
    static let staged = MediaTime(frame: 150, sampleRate: 1_000)
    private static let ahead = MediaTime(frame: 1, sampleRate: 1)
    private static let patience: Int64 = 300_000_000
    /// How far behind its place a run may be before it begins anew.
    private static let starving = MediaTime(frame: 1, sampleRate: 4)
    /// How far ahead a deck can be cut short without a seam, in ns.
    private static let trimLead: Int64 = 100_000_000
    /// How much further ahead than it must lie a start is put that comes too late, in ns.
    static let lateness: Int64 = 100_000_000

    private var hostNow: HostTime { HostTime(nanoseconds: process.host.reading) }

    /// What sound is decoded for.
    private var active: CoarseRun? { next ?? (playing?.end == nil ? playing : nil) }

    private func changeActive(_ change: (inout CoarseRun) -> Void) {
        if var run = next {
            change(&run)
            next = run
        } else if var run = playing {
            change(&run)
            playing = run
        }
    }

    // MARK: Events

    func takeEvents() {
        let events = programme.state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        for event in events { take(event) }
    }

    private func take(_ event: Programme.Event) {
        switch event {
        case .timebase(let line):
            endRun(at: line.groupTime)
            if stage?.start != line.mediaTime { stage = CoarseStage(start: line.mediaTime) }
            pendingStart = line.rate > 0 ? line : nil
        case .flushed(let time): flush(from: time)
        case .cleared:
            endRun(at: nil)
            stage = nil
            pendingStart = nil
        case .endMoved: goOn()
        case .decksReplaced: break
        }
    }

    /// A programme that had come to its end may go on.
    private func goOn() {
        guard active == nil, pendingStart == nil, let line = programme.state.withLock({ $0.timebase }), line.rate > 0
        else { return }
        restart(line)
    }

    /// Lets whatever plays, or is about to, end at an instant; now, when that is nil or not known.
    private func endRun(at instant: GroupTime?) {
        let end = instant.flatMap { trueTime(of: $0) } ?? now
        if var run = playing {
            run.end = min(run.end ?? .max, max(end, now))
            playing = run.end == now ? nil : run
        }
        if var run = next {
            run.end = min(run.end ?? .max, end)
            next = run.began >= end ? nil : run
        }
    }

    private func flush(from time: MediaTime?) {
        if let time, let run = active {
            if run.cursor <= time { return }
            if time.nanoseconds > Int64(run.place) + Self.trimLead {
                return changeActive { run in
                    run.deck.cut(from: time.nanoseconds)
                    run.cursor = time
                }
            }
        }
        let line = runningLine
        if let time, active == nil, let stage, stage.start <= time {
            self.stage = CoarseStage(start: wantedStart)
            return
        }
        guard let time, let line, let instant = line.groupTime(of: time) else {
            endRun(at: nil)
            if stage != nil { stage = CoarseStage(start: wantedStart) }
            if let line { restart(line) }
            return
        }
        endRun(at: instant)
        stage = CoarseStage(start: max(time, line.mediaTime))
        pendingStart =
            time > line.mediaTime ? Timebase(rate: line.rate, mediaTime: time, groupTime: instant) : line
    }

    private var runningLine: Timebase? {
        guard let own = active?.line ?? pendingStart else { return nil }
        let command = programme.state.withLock { $0.timebase }
        guard let command, command.rate > 0 else { return own }
        return command
    }

    private var wantedStart: MediaTime {
        let start = stage?.start ?? .zero
        guard let line = programme.state.withLock({ $0.timebase }) else { return start }
        guard let now = estimates.read()?.groupTime(at: hostNow), let playhead = line.mediaTime(at: now) else {
            return min(start, line.mediaTime)
        }
        return min(start, max(line.mediaTime, playhead))
    }

    private func restart(_ line: Timebase) {
        pendingStart = line
        if stage == nil { stage = CoarseStage(start: line.mediaTime) }
    }

    /// The device is another, or back: what was decoded is gone.
    func restartRun() {
        let line = runningLine
        (playing, next) = (nil, nil)
        if let line { restart(line) }
    }

    // MARK: Starting

    func fillStage() {
        if let place = filledGap { stage = CoarseStage(start: place) }
        guard var stage, active == nil else { return }
        programme.state.withLock { state in
            let range = state.store.loadedTimeRanges.first { $0.end > stage.start }
            if let range, range.start > stage.start, range.start - stage.start < Self.ahead {
                stage.gap = stage.gap ?? stage.start
                stage.start = range.start
            }
            if let range, range.start <= stage.start {
                stage.isReady = range.end - stage.start >= Self.staged || state.end.map { $0 <= range.end } ?? false
                if let packet = state.store.packet(covering: stage.start) { state.decodedFormat = packet.format }
            } else {
                stage.isReady = state.end.map { $0 <= stage.start } ?? false
            }
            let isWanted = state.timebase.map { $0.mediaTime <= stage.start } ?? false
            state.isStaged = stage.isReady && state.events.isEmpty && isWanted
        }
        self.stage = stage
    }

    /// As `DecodeWorker` has it: where to begin though the stage waits behind a gap, since what fills it has come.
    private var filledGap: MediaTime? {
        guard active == nil, let stage, let gap = stage.gap, let line = pendingStart,
            let now = estimates.read()?.groupTime(at: hostNow), now.timescale == line.groupTime.timescale
        else { return nil }
        let soonest = line.mediaTime(at: now.advanced(byNanoseconds: counters.changeLead + Self.lateness))
        let place = max(gap, line.mediaTime, soonest ?? line.mediaTime)
        guard place < stage.start else { return nil }
        let end = min(place + Self.ahead, stage.start)
        return programme.state.withLock { $0.holds(from: place, until: end) } ? place : nil
    }

    func startPending() {
        guard next == nil, let line = pendingStart, let estimate = estimates.read(),
            estimate.timescale == line.groupTime.timescale, let card = model?.estimate,
            let place = startingPlace(on: line, estimate), let stage, stage.isReady,
            programme.state.withLock({ $0.store.packet(covering: stage.start) }) != nil,
            let instant = line.groupTime(of: max(stage.start, place)), let time = trueTime(of: instant)
        else { return }
        // What fills a gap may come until then.
        guard stage.gap == nil || time - now <= Self.ahead.nanoseconds else { return }
        let began = max(time, now)
        let group = instant.nanoseconds + (began - time)
        var run = CoarseRun(
            line: line, began: began, place: line.place(atGroupNanoseconds: group), from: max(stage.start, place),
            ratio: Self.feedForward(estimate, card))
        fill(&run)
        next = run
        (pendingStart, self.stage) = (nil, nil)
        programme.state.withLock { $0.hasStarted = true }
        wake(in: began - now)
    }

    /// Where a line can be joined: at its anchor when that lies ahead, otherwise a little from now.
    private func startingPlace(on line: Timebase, _ estimate: ClockEstimate) -> MediaTime? {
        let earliest = estimate.groupTime(at: hostNow).advanced(byNanoseconds: counters.changeLead)
        if line.groupTime.nanoseconds >= earliest.nanoseconds {
            return counters.isClockSteady(estimate, now: hostNow) ? line.mediaTime : nil
        }
        guard counters.isSteady(estimate, now: hostNow) else { return nil }
        if let stage, let staged = line.groupTime(of: stage.start), staged.nanoseconds >= earliest.nanoseconds {
            return stage.start
        }
        guard let place = line.mediaTime(at: earliest.advanced(byNanoseconds: Self.lateness)) else { return nil }
        stage = CoarseStage(start: place)
        fillStage()
        return place
    }

    /// The true time at which what is meant for an instant is heard, since the room knows no better.
    private func trueTime(of instant: GroupTime) -> Int64? {
        guard let host = estimates.read()?.hostTime(of: instant)?.nanoseconds else { return nil }
        let delay = counters.outputDelay.load(ordering: .relaxed)
        guard let card = model?.estimate else { return process.host.time(ofReading: host - delay) }
        let frames = room.card.frames(at: now)
        let believed = card.hostTime(ofFrame: Int64(frames), fraction: frames - frames.rounded(.down)).nanoseconds
        return process.host.time(ofReading: host - delay - (believed - process.host.reading))
    }

    // MARK: Decoding

    func fillDeck() {
        guard active != nil else { return }
        var outcome = Fill.full
        changeActive { run in outcome = fill(&run) }
        guard let run = active else { return }
        let playhead = MediaTime(value: Int64(run.place), timescale: 1_000_000_000) ?? run.cursor
        switch outcome {
        case .full: break
        case .gap(let time):
            let needed = run.cursor.nanoseconds - Int64(run.place)
            guard needed < Self.patience else { return }
            if time - run.cursor > Self.ahead {
                endRun(at: run.line.groupTime(of: run.cursor))
                stage = CoarseStage(start: time, gap: run.cursor)
                pendingStart = run.line
            } else {
                changeActive { $0.cursor = time }
                // At once, as the worker does: where a room has stood still the store gives up what lies here as fast as time goes by.
                fillDeck()
            }
        case .empty where playhead > run.cursor + Self.starving:
            endRun(at: nil)
            stage = CoarseStage(start: playhead)
            pendingStart = run.line
        case .empty: break
        }
    }

    private enum Fill {
        /// As much as is wanted.
        case full
        /// Nothing up to there.
        case gap(MediaTime)
        /// Nothing more.
        case empty
    }

    @discardableResult
    private func fill(_ run: inout CoarseRun) -> Fill {
        let place = MediaTime(value: Int64(run.place), timescale: 1_000_000_000) ?? run.cursor
        let limit = place + Self.ahead
        return programme.state.withLock { state in
            while run.cursor < limit {
                guard let packet = state.store.packet(covering: run.cursor) else {
                    guard let next = state.store.next(after: run.cursor) else { return .empty }
                    return .gap(next.presentationTime)
                }
                let end = packet.timeRange.end
                if let symbol = SymbolicPacket(packet.data) {
                    let span = MediaSpan(run.cursor.nanoseconds, end.nanoseconds)
                    run.deck.append(CoarseDeck.Stretch(media: span, packet: symbol))
                }
                run.cursor = end
                if state.decodedFormat != packet.format { state.decodedFormat = packet.format }
            }
            return .full
        }
    }
}
