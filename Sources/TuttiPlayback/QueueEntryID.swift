/// Names one entry of a `PlayQueue` for as long as the queue lives, wherever the entry is moved.
package struct QueueEntryID: Sendable, Hashable {
    /// Counts up from 0; never used twice in one queue.
    package let rawValue: UInt64

    /// The entry of this number.
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
