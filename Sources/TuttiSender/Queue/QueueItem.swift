package import TuttiAssets

/// What an entry of a player's queue is.
package struct QueueItem: Sendable {
    /// What was asked for.
    package let input: AssetInput
    /// Whoever hears what becomes of it.
    package internal(set) var listener: (any QueueItemListener)?
    /// What is known since it was opened, its picture aside.
    package internal(set) var info: AssetInfo?
    /// Why it cannot be played, or not to its end.
    package internal(set) var failure: String?

    /// An item that has not been opened.
    package init(_ input: AssetInput) { self.input = input }

    /// An item that has not been opened, and that somebody listens to.
    package init(_ input: AssetInput, listener: any QueueItemListener) {
        self.input = input
        self.listener = listener
    }
}
