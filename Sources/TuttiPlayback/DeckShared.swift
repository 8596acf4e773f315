import Synchronization

/// What both threads of a deck may touch at any time: atomics and the ring.
struct DeckShared: ~Copyable {
    let ring: PCMRing
    private let state = Atomic<UInt8>(DeckState.idle.rawValue)
    private let sourceEnded = Atomic<Bool>(false)
    private let sourceLimit = Atomic<Int64>(.max)
    private let endInstant = Atomic<Int64>(.max)
    private let fadeOut = Atomic<Int64>(0)

    init(ringFrames: Int) { ring = PCMRing(minimumFrames: ringFrames) }

    var currentState: DeckState { DeckState(rawValue: state.load(ordering: .acquiring)) ?? .idle }

    func setState(_ newState: DeckState) { state.store(newState.rawValue, ordering: .releasing) }

    /// True when the ring's frames are all there will be.
    var hasSourceEnded: Bool { sourceEnded.load(ordering: .acquiring) }

    func setSourceEnded() { sourceEnded.store(true, ordering: .releasing) }

    /// Ends the source before `frame`, whatever has been written behind it.
    func setSourceEnded(atFrame frame: Int64) {
        sourceLimit.store(frame, ordering: .relaxed)
        setSourceEnded()
    }

    /// The frame behind the last one to be played, of those written so far.
    var framesWritten: Int64 { min(ring.framesWritten, sourceLimit.load(ordering: .relaxed)) }

    /// The frames to play next that lie together in memory.
    var readableSpan: UnsafeBufferPointer<Float> {
        let left = sourceLimit.load(ordering: .relaxed) - ring.readIndex
        return ring.readableSpan(limit: Int(max(0, left)))
    }

    /// When the fade-out begins; nil without an end.
    var end: (instant: Int64, fadeOutNanoseconds: Int64)? {
        let instant = endInstant.load(ordering: .acquiring)
        return instant == .max ? nil : (instant, fadeOut.load(ordering: .relaxed))
    }

    func setEnd(_ instant: Int64, fadeOutNanoseconds: Int64) {
        fadeOut.store(fadeOutNanoseconds, ordering: .relaxed)
        endInstant.store(instant, ordering: .releasing)
    }

    /// Ready for a new run; only while the worker owns the deck.
    func clear(retainedFrames: Int) {
        sourceEnded.store(false, ordering: .relaxed)
        sourceLimit.store(.max, ordering: .relaxed)
        endInstant.store(.max, ordering: .relaxed)
        ring.reset(retainedFrames: retainedFrames)
    }
}
