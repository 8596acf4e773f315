import Synchronization
import TuttiPlayback

/// What both threads of a deck may touch at any time: atomics and the ring.
struct DeckShared: ~Copyable {
    let ring: PCMRing
    private let state = Atomic<UInt8>(DeckState.idle.rawValue)
    private let sourceEnded = Atomic<Bool>(false)
    private let endInstant = Atomic<Int64>(.max)
    private let fadeOut = Atomic<Int64>(0)

    init(ringFrames: Int) { ring = PCMRing(minimumFrames: ringFrames) }

    var currentState: DeckState { DeckState(rawValue: state.load(ordering: .acquiring)) ?? .idle }

    func setState(_ newState: DeckState) { state.store(newState.rawValue, ordering: .releasing) }

    /// True when the ring's frames are all there will be.
    var hasSourceEnded: Bool { sourceEnded.load(ordering: .acquiring) }

    func setSourceEnded() { sourceEnded.store(true, ordering: .releasing) }

    /// Lets the source continue at `frame`, whatever has been written after it and whether it had ended; false when the
    /// reader is too near.
    func reopen(at frame: Int64, margin: Int64) -> Bool {
        guard ring.takeBack(from: frame, margin: margin) else { return false }
        sourceEnded.store(false, ordering: .releasing)
        return true
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
        endInstant.store(.max, ordering: .relaxed)
        ring.reset(retainedFrames: retainedFrames)
    }
}
