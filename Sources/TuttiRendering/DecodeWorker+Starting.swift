import Synchronization
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime

extension DecodeWorker {
    // MARK: Staging

    func fillStage() {
        if let place = filledGap { restage(at: place) }
        guard var stage, let cursor, run == nil else { return }
        while !stage.isReady {
            switch cursor.next() {
            case .chunk(let chunk):
                if let last = stage.chunks.last, last.sampleRate != chunk.sampleRate {
                    stage.hasEnded = true
                    cursorRewind(to: chunk.start)
                } else {
                    stage.chunks.append(chunk)
                }
                continue
            case .gap where !stage.chunks.isEmpty:
                // The deck that plays this leaves the silence.
                stage.hasEnded = true
                continue
            case .gap(let time) where time - stage.start < Self.second:
                cursor.skip(to: time)
                if !stage.isSeam { stage.gap = stage.gap ?? stage.start }
                stage.start = time
                continue
            case .gap, .starved: break
            case .ended: stage.hasEnded = true
            }
            break
        }
        self.stage = stage
        let isReady = stage.isReady
        let start = stage.start
        programme.state.withLock { state in
            // Only what is staged for the command that holds now counts.
            state.isStaged = isReady && state.events.isEmpty && (state.timebase.map { $0.mediaTime <= start } ?? false)
            if let format = stage.chunks.first?.format { state.decodedFormat = format }
        }
        if let format = stage.chunks.first?.format { programme.reference.noteSource(format) }
    }

    /// Whether the start lies behind a gap and more than a second ahead: what fills the gap may come until then, so no deck is bound to it yet.
    var waitsBehindGap: Bool {
        guard leads == .card, let stage, stage.gap != nil, let now = groupNow(),
            let start = pendingStart?.groupTime(of: stage.start), start.timescale == now.timescale
        else { return false }
        return start.nanoseconds(since: now) > 1_000_000_000
    }

    /// Where the programme can be joined now though the stage begins behind a gap: enough of what fills that has come meanwhile, a second or all
    /// of it. Less would break off again at once.
    private var filledGap: MediaTime? {
        guard run == nil, let stage, let gap = stage.gap, let timebase = pendingStart, let now = groupNow(),
            now.timescale == timebase.groupTime.timescale
        else { return nil }
        let lead = leads == .offline ? 0 : counters.changeLead + Self.lateness
        let soonest = timebase.mediaTime(at: now.advanced(byNanoseconds: lead)) ?? timebase.mediaTime
        let place = max(gap, timebase.mediaTime, soonest)
        guard place < stage.start else { return nil }
        let end = min(place + Self.second, stage.start)
        return programme.state.withLock { $0.holds(from: place, until: end) } ? place : nil
    }

    static let second = MediaTime(frame: 1, sampleRate: 1)

    func cursorRewind(to time: MediaTime) { cursor = DecodeCursor(programme: programme, position: time) }

    // MARK: Starting

    /// Programs a free deck with what is staged, once there is a clock, a deck, and audio for the instant.
    func startPending() {
        guard let timebase = pendingStart, let decks, let now = groupNow(),
            now.timescale == timebase.groupTime.timescale
        else { return }
        guard let instant = startInstant(of: timebase, now: now) else { return }
        guard let stage, let first = stage.chunks.first, stage.isReady, !waitsBehindGap else { return }
        guard let deck = decks.free else { return }
        let joins = stage.isSeam || first.start == .zero
        guard
            let start = timebase.groupTime(of: max(first.start, instant.media)),
            let deckRun = DeckRun(
                timebase: timebase, firstFrameTime: first.start, sourceRate: first.sampleRate,
                startGroupNanoseconds: start.nanoseconds, fadeInNanoseconds: joins ? 0 : Self.fade),
            deck.program(deckRun, correction: correction)
        else { return }
        ends[ObjectIdentifier(deck)] = nil
        var newRun = ActiveRun(
            deck: deck, timebase: timebase, sampleRate: first.sampleRate, start: first.start)
        for chunk in stage.chunks { push(chunk.samples[...], to: &newRun) }
        deck.arm()
        run = newRun
        pendingStart = nil
        self.stage = nil
        programme.state.withLock { $0.hasStarted = true }
    }

    /// Where and when `timebase` can be joined: at its anchor when that still lies ahead, otherwise a little from now,
    /// in which case the audio is staged anew for that place.
    func startInstant(of timebase: Timebase, now: GroupTime) -> (media: MediaTime, group: GroupTime)? {
        let anchor = timebase.groupTime
        let lead = leads == .offline ? 0 : counters.changeLead
        if anchor.nanoseconds >= now.advanced(byNanoseconds: lead).nanoseconds {
            // Who is not sure of the instant lets the others go and joins them.
            return counters.isClockSteady(estimates.read(), now: self.now()) ? (timebase.mediaTime, anchor) : nil
        }
        // Whoever joins what others play already takes the time to join it in step.
        guard counters.isSteady(estimates.read(), now: self.now()) else { return nil }
        let earliest = now.advanced(byNanoseconds: lead)
        if let stage, let staged = timebase.groupTime(of: stage.start), staged.nanoseconds >= earliest.nanoseconds {
            return (stage.start, staged)
        }
        let late = now.advanced(byNanoseconds: leads == .offline ? 0 : lead + Self.lateness)
        guard let media = timebase.mediaTime(at: late) else { return nil }
        restage(at: media)
        fillStage()
        return (media, late)
    }

    func groupNow() -> GroupTime? {
        programme.estimate(estimates)?.groupTime(at: now())
    }
}
