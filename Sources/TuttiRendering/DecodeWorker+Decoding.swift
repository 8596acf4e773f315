import Synchronization
package import TuttiCore
package import TuttiPlayback
import TuttiRealtime

/// Decoding, as far as the plan wants it.
extension DecodeWorker: PlanDriver {
    package var prerolledFormat: AudioFormat? { prerolled.first?.format }

    package func next() -> (reading: PlaybackPlan.Reading, chunk: DecodedChunk?)? {
        let began = now()
        guard let next = cursor?.next() else { return nil }
        counters.decoding.wrappingAdd(now().nanoseconds(since: began), ordering: .relaxed)
        if let chunk = next.chunk {
            let length = Int64(chunk.frameCount) * 1_000_000_000 / Int64(chunk.sampleRate)
            counters.decoded.wrappingAdd(length, ordering: .relaxed)
        }
        return next
    }

    package func use(_ decks: DeckPair) {
        self.decks = decks
        carryOut(plan.decksReplaced(moment()))
    }

    /// Keeps the deck that plays full.
    ///
    /// - Returns: milliseconds until it should be looked at again.
    func fillDeck() -> Int {
        // Without a stream nothing happens but by a signal.
        guard cursor != nil else { return 60_000 }
        guard let run = plan.run, !run.isFinished, let deck = decks?[run.deck] else { return 250 }
        if !rest.isEmpty { push(rest, to: deck) }
        // Offline, time stands still meanwhile.
        let frames = Int64(run.sampleRate * Self.turnMilliseconds / 1_000)
        let turn = plan.leads == .offline ? .max : deck.framesWritten + frames
        while rest.isEmpty && deck.writableFrames > 0 {
            if deck.framesWritten >= turn { return 0 }
            guard let (reading, chunk) = next() else { break }
            if let wait = carryOut(plan.read(reading, moment()), for: chunk) { return wait }
        }
        return 250
    }

    // MARK: Effects

    @discardableResult
    package func carryOut(_ effects: [PlaybackPlan.Effect], for chunk: DecodedChunk?) -> Int? {
        var wait: Int?
        for effect in effects {
            switch effect {
            case .preroll(let time): read(from: DecodeCursor(stream: stream, position: time))
            case .forget: read(from: nil)
            case .seek(let time): cursor = DecodeCursor(stream: stream, position: time)
            case .skip(let time): cursor?.skip(to: time)
            case .keep: if let chunk { prerolled.append(chunk) }
            case .write(let side):
                guard let chunk, let deck = decks?[side] else { continue }
                push(chunk.samples[...], to: deck)
                noteFormat(chunk.format)
            case .writeSilence(let side, let frames, let time): writeSilence(frames, to: side, until: time)
            case .program(let side, let run): _ = decks?[side].program(run, correction: correction)
            case .writePreroll(let side): writePreroll(to: side)
            case .arm(let side):
                decks?[side].arm()
                stream.state.withLock { $0.hasStarted = true }
            case .keepRest(let frames): rest = rest.prefix(2 * min(frames, rest.count / 2))
            case .takeBack(let request): takeBack(request)
            case .finish(let side): decks?[side].finish()
            case .end(let side, let instant, let fadeOut):
                decks?[side].end(atGroupNanoseconds: instant, fadeOutNanoseconds: fadeOut)
            case .lookAgain(let milliseconds): wait = milliseconds
            }
        }
        return wait
    }

    private func read(from newCursor: DecodeCursor?) {
        prerolled = []
        rest = []
        cursor = newCursor
    }

    private func writePreroll(to side: DeckSide) {
        guard let deck = decks?[side] else { return }
        rest = []
        for chunk in prerolled { push(chunk.samples[...], to: deck) }
        prerolled = []
    }

    private func writeSilence(_ frames: Int, to side: DeckSide, until time: MediaTime) {
        guard let cursor, let run = plan.run, let written = decks?[side].writeSilence(frames: frames) else { return }
        let reached = cursor.position + MediaTime(frame: Int64(written), sampleRate: run.sampleRate)
        cursor.skip(to: written >= frames ? time : reached)
    }

    private func takeBack(_ request: PlaybackPlan.TakeBack) {
        let isDone = decks?[request.deck].reopen(atFrame: request.frame, margin: request.margin) ?? false
        if isDone { rest = [] }
        carryOut(plan.tookBack(request, isDone: isDone, moment()))
    }

    private func push(_ samples: ArraySlice<Float>, to deck: Deck) {
        let frames = samples.withUnsafeBufferPointer { deck.write(Span(_unsafeElements: $0)) }
        rest = samples.dropFirst(frames * 2)
    }

    private func noteFormat(_ format: AudioFormat) {
        let isNew = stream.state.withLock { state in
            defer { state.decodedFormat = format }
            return state.decodedFormat != format
        }
        if isNew { stream.reference.noteSource(format) }
    }
}
