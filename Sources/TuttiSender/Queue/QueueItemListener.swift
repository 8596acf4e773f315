package import TuttiAssets

/// Whoever put an entry into a queue, and hears what becomes of it.
///
/// Called on the player's event loop, where nothing may block.
package protocol QueueItemListener: AnyObject, Sendable {
    /// The entry was opened.
    func opened(_ info: AssetInfo)
    /// The entry cannot be played, or not to its end.
    func failed(_ message: String)
}
