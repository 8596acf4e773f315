package import TuttiAssets

extension PlayerRecord {
    /// One entry of the queue.
    package struct Entry: Sendable, Equatable, Codable {
        /// Its own wherever it is moved; never used twice in a player.
        package var id: UInt64
        /// What was asked for.
        package var input: AssetInput
        /// What is known since it was opened.
        package var info: AssetInfo?
        /// Why it cannot be played, or not to its end.
        package var failure: String?

        /// An entry.
        package init(id: UInt64, input: AssetInput, info: AssetInfo? = nil, failure: String? = nil) {
            self.id = id
            self.input = input
            self.info = info
            self.failure = failure
        }
    }
}
