package import TuttiAssets

/// What an entry of a player's queue is.
package struct QueueItem: Sendable {
    /// What was asked for.
    package let input: AssetInput
    /// What is known since it was opened, its picture aside.
    package internal(set) var info: AssetInfo?
    /// Why it cannot be played, or not to its end.
    package internal(set) var failure: String?

    /// An item that has not been opened.
    package init(_ input: AssetInput) { self.input = input }
}
