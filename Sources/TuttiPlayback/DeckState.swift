/// Who owns a deck at the moment.
///
/// The worker moves a deck `idle → filling → armed`, the render thread `armed → playing → finished`, the worker
/// takes a finished deck to `filling` again.
package enum DeckState: UInt8, Sendable, Hashable {
    /// The worker's altogether; the render thread does not look at it.
    case idle
    /// The worker's: it has a run and is given its first frames.
    case filling
    /// The render thread's, except for the writing side of the ring: it waits for the start instant.
    case armed
    /// The render thread's, except for the writing side of the ring: it has begun to sound.
    case playing
    /// The worker's again: the render thread has played the end and does not look at it any more.
    case finished
}
