package import TuttiPlayback

/// One of the two players that a render thread mixes: a ring of decoded audio and the timebase that it is on.
///
/// A decode worker fills one deck while the other plays, so that a seek or a change of sample rate has both overlap
/// at the seam. Two threads use a deck, one worker and one render thread; `state` says who owns what.
///
/// Safety of `@unchecked Sendable`: `shared` holds atomics and the lock-free ring only; `voice` is touched by the
/// worker in `idle`, `filling` and `finished` and by the render thread in `armed` and `playing`, the atomic state
/// handing it over with acquire and release.
package final class Deck: @unchecked Sendable {
    /// Frames a second of the output.
    let outputRate: Int
    let shared: UnsafeMutablePointer<DeckShared>
    let voice: UnsafeMutablePointer<DeckVoice>

    /// An idle stereo deck for an output of `outputRate` frames a second.
    ///
    /// - Parameters:
    ///   - outputRate: frames a second of the output.
    ///   - ringFrames: source frames to hold ahead, at least; rounded up to a power of two.
    /// - Precondition: `outputRate` is positive.
    package init(outputRate: Int, ringFrames: Int) {
        precondition(outputRate > 0, "a sample rate is positive")
        self.outputRate = outputRate
        shared = .allocate(capacity: 1)
        shared.initialize(to: DeckShared(ringFrames: ringFrames))
        voice = .allocate(capacity: 1)
        voice.initialize(to: DeckVoice(outputRate: outputRate))
    }

    deinit {
        voice.deinitialize(count: 1)
        voice.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Who owns the deck now.
    package var state: DeckState { shared.pointee.currentState }

    /// Gives an idle or finished deck a run; it is then `filling` with an empty ring. Builds the resampler, so it takes
    /// some milliseconds and allocates.
    ///
    /// - Returns: false when the deck is in use.
    package func program(_ run: DeckRun, correction: Correction = .on) -> Bool {
        guard state == .idle || state == .finished else { return false }
        shared.pointee.clear(retainedFrames: run.sourceRate * 8 / 100)
        voice.pointee.program(run, correction: correction)
        shared.pointee.setState(.filling)
        return true
    }

    /// Appends interleaved stereo frames; returns how many fitted (none unless the deck is filling, armed or playing).
    package func write(_ samples: Span<Float>) -> Int {
        guard isWritable else { return 0 }
        return shared.pointee.ring.write(samples)
    }

    /// Appends silence, for a hole in the stream; returns how many frames fitted.
    package func writeSilence(frames: Int) -> Int {
        guard isWritable else { return 0 }
        return shared.pointee.ring.writeSilence(frames: frames)
    }

    /// Frames that `write` would take now.
    package var writableFrames: Int { isWritable ? shared.pointee.ring.writableFrames : 0 }

    /// Frames written since `program` and not taken back: the index of the next one.
    package var framesWritten: Int64 { shared.pointee.ring.framesWritten }

    /// Frames that lie ahead of the render thread.
    package var bufferedFrames: Int { shared.pointee.ring.readableFrames }

    /// Source frames that the ring can hold.
    package var capacityFrames: Int { shared.pointee.ring.capacity }

    /// Hands a filling deck to the render thread, which starts it at its start instant. Writing continues.
    package func arm() {
        if state == .filling { shared.pointee.setState(.armed) }
    }

    /// Says that no more frames follow: the deck plays out what it has, filter tail included, and is then `finished`.
    package func finish() { shared.pointee.setSourceEnded() }

    /// Takes back what was written from frame `frame` on, and that nothing follows: what is written next comes there.
    /// What the render thread has read, or is about to, it does not give back, however long it is until that plays.
    ///
    /// - Parameter margin: frames that must lie between the render thread and `frame`; 0 only for a deck that does not
    ///   sound yet.
    /// - Returns: false when it is nearer; nothing has changed then.
    package func reopen(atFrame frame: Int64, margin: Int64) -> Bool {
        shared.pointee.reopen(at: frame, margin: max(0, margin))
    }

    /// Schedules the end: the fade begins at `instant` (group time; `.min` means now) and lasts `fadeOut` nanoseconds
    /// (0 cuts); then the deck is `finished`. A deck that is not yet audible at `instant` never sounds.
    package func end(atGroupNanoseconds instant: Int64, fadeOutNanoseconds fadeOut: Int64) {
        shared.pointee.setEnd(instant, fadeOutNanoseconds: max(0, fadeOut))
        if state == .filling { shared.pointee.setState(.finished) }
    }

    /// Lets the system have the memory of a deck that is idle or finished, and takes what it holds out.
    package func giveBack() {
        guard state == .idle || state == .finished else { return }
        shared.pointee.ring.giveBack()
    }

    /// Makes the deck idle, whatever it does. Only while no render thread runs (before it starts, after it was joined).
    package func resetAfterRenderThreadStopped() { shared.pointee.setState(.idle) }

    private var isWritable: Bool {
        let now = state
        return now == .filling || now == .armed || now == .playing
    }
}
