import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiPlayback

/// Decodes the programme about a second ahead of what is heard, into whichever deck is free, and lets each deck begin
/// and end at its instant of the group's clock. Runs on a thread of its own until told to stop.
///
/// All that a timebase command, a flush or a format change can ask for comes down to: *this deck ends at G, another one
/// begins at G with the programme from M on*.
final class DecodeWorker {
    /// What plays: one run of one sample rate on one timebase.
    private struct ActiveRun {
        let deck: Deck
        let timebase: Timebase
        let sampleRate: Int
        /// Part of a chunk that the deck had no room for.
        var rest: ArraySlice<Float> = []
        /// The deck has been told that nothing follows.
        var isFinished = false
    }

    /// Decoded audio that waits for its instant.
    private struct Stage {
        var start: MediaTime
        var chunks: [DecodedChunk] = []
        /// Nothing can be added: the programme, or this run of one sample rate, ends behind the chunks.
        var hasEnded = false
        /// The stage follows what plays without a seam.
        var isSeam = false

        var frameCount: Int { chunks.reduce(0) { $0 + $1.frameCount } }
        var isReady: Bool {
            guard let first = chunks.first else { return hasEnded }
            return hasEnded || frameCount >= first.sampleRate * DecodeWorker.stagedMilliseconds / 1_000
        }
    }

    /// Audio decoded before a programme counts as ready to start, in milliseconds.
    private static let stagedMilliseconds = 150
    /// How far ahead a start must lie to be kept as it is, in ns: what the card has queued, and the decoding.
    private static let minimumLead: Int64 = 60_000_000
    /// How far ahead a start that comes too late is put, in ns.
    private static let lateLead: Int64 = 160_000_000
    /// Ramps at cuts, in ns.
    private static let fade: Int64 = 8_000_000

    private let programme: Programme
    private let clock: HostClock
    private let estimates: ClockEstimateSlot
    private let correction: Correction
    private let shouldStop: @Sendable () -> Bool

    private var decks: DeckPair?
    /// The end that each deck in use has been given, in group ns.
    private var ends: [ObjectIdentifier: Int64] = [:]
    private var run: ActiveRun?
    private var stage: Stage?
    private var cursor: DecodeCursor?
    /// The timebase to start once it can be: audio is staged and a deck is free.
    private var pendingStart: Timebase?

    init(
        programme: Programme, clock: HostClock, estimates: ClockEstimateSlot, correction: Correction,
        shouldStop: @escaping @Sendable () -> Bool
    ) {
        self.programme = programme
        self.clock = clock
        self.estimates = estimates
        self.correction = correction
        self.shouldStop = shouldStop
    }

    /// The body of the thread.
    func runLoop() {
        while !shouldStop() {
            let events = programme.state.withLock { state in
                let events = state.events
                state.events = []
                return events
            }
            for event in events { handle(event) }
            fillStage()
            startPending()
            let milliseconds = fillDeck()
            programme.wait(milliseconds: pendingStart != nil ? 4 : milliseconds)
        }
    }

    // MARK: Events

    private func handle(_ event: Programme.Event) {
        switch event {
        case .timebase(let timebase):
            endRun(at: timebase.groupTime.nanoseconds)
            if stage?.start != timebase.mediaTime { restage(at: timebase.mediaTime) }
            pendingStart = timebase.rate > 0 ? timebase : nil
        case .flushed(let time): flush(from: time)
        case .endMoved:
            // What had run into the end, or waits for more, must look again.
            if stage?.hasEnded == true { stage?.hasEnded = false }
        case .cleared:
            endRun(at: .min)
            stage = nil
            cursor = nil
            pendingStart = nil
        case .decksReplaced(let decks):
            let timebase = run?.timebase ?? pendingStart
            run = nil
            ends = [:]
            self.decks = decks
            if let timebase { restart(timebase) }
        }
    }

    private func flush(from time: MediaTime?) {
        if let cursor, let time, cursor.position <= time { return }
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

    /// Lets whatever plays, or is about to, end at an instant, unless it ends before.
    private func endRun(at groupNanoseconds: Int64) {
        run = nil
        guard let decks else { return }
        for deck in [decks.first, decks.second] where deck.isInUse {
            let key = ObjectIdentifier(deck)
            if let end = ends[key], end <= groupNanoseconds { continue }
            ends[key] = groupNanoseconds
            deck.end(atGroupNanoseconds: groupNanoseconds, fadeOutNanoseconds: Self.fade)
        }
    }

    private func restage(at time: MediaTime) {
        stage = Stage(start: time)
        cursor = DecodeCursor(programme: programme, position: time)
    }

    /// Plays on `timebase` from wherever that stands by now.
    private func restart(_ timebase: Timebase) {
        pendingStart = timebase
        if stage == nil { restage(at: timebase.mediaTime) }
    }

    // MARK: Staging

    private func fillStage() {
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
            case .gap(let time) where !stage.chunks.isEmpty || time - stage.start < Self.second:
                cursor.skip(to: time)
                if stage.chunks.isEmpty { stage.start = time } else { stage.hasEnded = true }
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
    }

    private static let second = MediaTime(frame: 1, sampleRate: 1)

    private func cursorRewind(to time: MediaTime) { cursor = DecodeCursor(programme: programme, position: time) }

    // MARK: Starting

    /// Programs a free deck with what is staged, once there is a clock, a deck, and audio for the instant.
    private func startPending() {
        guard let timebase = pendingStart, let decks, let now = groupNow(),
            now.timescale == timebase.groupTime.timescale
        else { return }
        guard let instant = startInstant(of: timebase, now: now) else { return }
        guard let stage, let first = stage.chunks.first, stage.isReady else { return }
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
        var newRun = ActiveRun(deck: deck, timebase: timebase, sampleRate: first.sampleRate)
        for chunk in stage.chunks { push(chunk.samples[...], to: &newRun) }
        deck.arm()
        run = newRun
        pendingStart = nil
        self.stage = nil
        programme.state.withLock { $0.hasStarted = true }
    }

    /// Where and when `timebase` can be joined: at its anchor when that still lies ahead, otherwise a little from now,
    /// in which case the audio is staged anew for that place.
    private func startInstant(of timebase: Timebase, now: GroupTime) -> (media: MediaTime, group: GroupTime)? {
        let anchor = timebase.groupTime
        if anchor.nanoseconds >= now.advanced(byNanoseconds: Self.minimumLead).nanoseconds {
            return (timebase.mediaTime, anchor)
        }
        let earliest = now.advanced(byNanoseconds: Self.minimumLead)
        if let stage, let staged = timebase.groupTime(of: stage.start), staged.nanoseconds >= earliest.nanoseconds {
            return (stage.start, staged)
        }
        let late = now.advanced(byNanoseconds: Self.lateLead)
        guard let media = timebase.mediaTime(at: late) else { return nil }
        restage(at: media)
        fillStage()
        return (media, late)
    }

    private func groupNow() -> GroupTime? {
        estimates.read()?.groupTime(at: clock.now())
    }

    // MARK: Playing

    /// Keeps the deck that plays full.
    ///
    /// - Returns: milliseconds until it should be looked at again.
    private func fillDeck() -> Int {
        guard var run, let cursor else { return 250 }
        // Whoever ends the run clears the property; otherwise the changed copy goes back.
        defer { if self.run != nil { self.run = run } }
        if run.isFinished { return 250 }
        var samples = run.rest
        run.rest = []
        if !samples.isEmpty { push(samples, to: &run) }
        while run.rest.isEmpty && run.deck.writableFrames > 0 {
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

    private func push(_ samples: ArraySlice<Float>, to run: inout ActiveRun) {
        let frames = samples.withUnsafeBufferPointer { run.deck.write(Span(_unsafeElements: $0)) }
        run.rest = samples.dropFirst(frames * 2)
    }

    private func noteFormat(_ format: AudioFormat) {
        programme.state.withLock { if $0.decodedFormat != format { $0.decodedFormat = format } }
    }

    /// The sample rate changes: the deck rings out, and the other one begins exactly where it ends.
    private func seam(to chunk: DecodedChunk, from run: inout ActiveRun) {
        run.deck.finish()
        stage = Stage(start: chunk.start, chunks: [chunk], isSeam: true)
        pendingStart = run.timebase
        self.run = nil
    }

    /// Nothing is held up to `time`: waits for it while there is time, then leaves silence.
    private func bridge(until time: MediaTime, in run: inout ActiveRun) -> Int {
        guard let cursor, let now = groupNow(), let needed = run.timebase.groupTime(of: cursor.position) else {
            return 50
        }
        if needed.nanoseconds - now.nanoseconds > 300_000_000 { return 50 }
        let frames = Int((time - cursor.position).frame(at: run.sampleRate))
        if frames > run.sampleRate {
            restartBehindGap(at: time, run: &run)
            return 4
        }
        let written = run.deck.writeSilence(frames: max(frames, 0))
        cursor.skip(
            to: written >= frames
                ? time : cursor.position + MediaTime(frame: Int64(written), sampleRate: run.sampleRate))
        return 4
    }

    private func restartBehindGap(at time: MediaTime, run: inout ActiveRun) {
        run.deck.finish()
        pendingStart = run.timebase
        restage(at: time)
        self.run = nil
    }

    /// Nothing is held: when the programme has moved past the cursor meanwhile, plays on from where it stands.
    private func awaitAudio(in run: inout ActiveRun) -> Int {
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
