import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRendering

/// What the plan says, carried out with coarse decks.
extension CoarseRenderer: PlanDriver {
    func moment() -> PlaybackPlan.Moment {
        stream.moment(
            at: HostTime(nanoseconds: process.host.reading), clock: estimates, counters, position: cursor?.position,
            decks: decks.map { PlaybackPlan.Decks(first: standing($0[.first]), second: standing($0[.second])) })
    }

    private func standing(_ deck: CoarseDeck?) -> PlaybackPlan.DeckStanding {
        guard let deck else { return PlaybackPlan.DeckStanding(state: .idle, framesWritten: 0) }
        let state: DeckState = deck.isOver ? .finished : now + readAhead < deck.began ? .armed : .playing
        return PlaybackPlan.DeckStanding(state: state, framesWritten: deck.framesWritten)
    }

    /// Nanoseconds by which a render thread is ahead of what plays.
    private var readAhead: Int64 {
        counters.deviceDepth.load(ordering: .relaxed) + max(0, counters.outputDelay.load(ordering: .relaxed))
    }

    /// Frames of a deck that a render thread has read.
    private func framesRead(of deck: CoarseDeck) -> Int64 {
        guard now + readAhead >= deck.began else { return 0 }
        let place = deck.place - Double(deck.at - now - readAhead) - Double(deck.start.nanoseconds)
        return min(max(0, Int64(place * Double(deck.sampleRate) * 1e-9)), deck.framesWritten)
    }

    /// Frames that a deck has room for.
    private func writableFrames(of deck: CoarseDeck) -> Int64 {
        let retained = Int64(deck.sampleRate * 8 / 100)
        return Int64(DeckPair.ringFrames) - (deck.framesWritten - max(0, framesRead(of: deck) - retained))
    }

    // MARK: Steps

    var prerolledFormat: AudioFormat? { prerolled.first?.format }

    func next() -> (reading: PlaybackPlan.Reading, chunk: CoarseChunk?)? { cursor?.next(in: stream) }

    /// Nobody replaces the decks but `replaceDecks`.
    func use(_ decks: DeckPair) {}

    /// The device is another, or back: what was decoded is gone.
    func replaceDecks() {
        decks = CoarseDecks()
        carryOut(plan.decksReplaced(moment()))
    }

    /// Keeps the deck that plays full.
    ///
    /// - Returns: milliseconds until it should be looked at again; nil without a stream.
    func fillDeck() -> Int? {
        guard cursor != nil else { return nil }
        while let run = plan.run, !run.isFinished, let deck = decks?[run.deck], writableFrames(of: deck) > 0,
            let (reading, chunk) = next()
        {
            if let wait = carryOut(plan.read(reading, moment()), for: chunk) { return wait }
        }
        return 250
    }

    // MARK: Effects

    @discardableResult
    func carryOut(_ effects: [PlaybackPlan.Effect], for chunk: CoarseChunk?) -> Int? {
        var wait: Int?
        for effect in effects {
            switch effect {
            case .preroll(let time): (prerolled, cursor) = ([], CoarseCursor(position: time))
            case .forget: (prerolled, cursor) = ([], nil)
            case .seek(let time): cursor = CoarseCursor(position: time)
            case .skip(let time): cursor?.skip(to: time)
            case .keep: if let chunk { prerolled.append(chunk) }
            case .write(let side):
                guard let chunk else { continue }
                decks?[side]?.write(chunk)
                stream.state.withLock { if $0.decodedFormat != chunk.format { $0.decodedFormat = chunk.format } }
            case .writeSilence(let side, let frames, let time):
                decks?[side]?.writeSilence(frames: frames)
                cursor?.skip(to: time)
            case .program(let side, let run): program(side, run)
            case .writePreroll(let side):
                for chunk in prerolled { decks?[side]?.write(chunk) }
                prerolled = []
            case .arm: stream.state.withLock { $0.hasStarted = true }
            // A deck takes whole packets, so nothing is left over.
            case .keepRest: break
            case .takeBack(let request): takeBack(request)
            case .finish(let side): decks?[side]?.hasSourceEnded = true
            case .end(let side, let instant, _):
                decks?[side]?.end(at: trueTime(ofGroupNanoseconds: instant) ?? now, now: now)
            case .lookAgain(let milliseconds): wait = milliseconds
            }
        }
        return wait
    }

    private func program(_ side: DeckSide, _ deckRun: DeckRun) {
        guard let run = plan.run else { return }
        let time = trueTime(ofGroupNanoseconds: deckRun.startGroupNanoseconds) ?? now
        let began = max(time, now)
        let place = run.timebase.place(atGroupNanoseconds: deckRun.startGroupNanoseconds) + Double(began - time)
        var ratio: Double?
        if let estimate = estimates.read(), let card = model?.estimate { ratio = Self.feedForward(estimate, card) }
        decks?.program(side, CoarseDeck(run, began: began, place: place, ratio: ratio))
        wake(in: began - now)
    }

    private func takeBack(_ request: PlaybackPlan.TakeBack) {
        let read = decks?[request.deck].map { framesRead(of: $0) } ?? 0
        let isDone =
            decks?[request.deck]?.reopen(atFrame: request.frame, margin: request.margin, read: read) ?? false
        carryOut(plan.tookBack(request, isDone: isDone, moment()))
    }

    /// The true time at which what is meant for an instant plays, since the room knows no better; now for `.min`.
    private func trueTime(ofGroupNanoseconds instant: Int64) -> Int64? {
        guard instant > .min, let estimate = stream.estimate(estimates) else { return nil }
        let group = GroupTime(nanoseconds: instant, timescale: estimate.timescale)
        guard let host = estimate.hostTime(of: group)?.nanoseconds else { return nil }
        let delay = counters.outputDelay.load(ordering: .relaxed)
        guard let card = model?.estimate else { return process.host.time(ofReading: host - delay) }
        let frames = room.card.frames(at: now)
        let believed = card.hostTime(ofFrame: Int64(frames), fraction: frames - frames.rounded(.down)).nanoseconds
        return process.host.time(ofReading: host - delay - (believed - process.host.reading))
    }
}
