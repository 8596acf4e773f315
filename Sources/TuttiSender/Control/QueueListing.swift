import TuttiAssets
import TuttiCore
package import TuttiPlayback

/// A player's queue as `tutti queue --json` prints it. The names are those of `docs/json.md`.
package struct QueueListing: Sendable, Equatable, Codable {
    /// One entry; what is not known is left out.
    package struct Entry: Sendable, Equatable, Codable {
        /// Its place, from 0.
        package var index: Int
        /// Stays the entry's own wherever it is moved.
        package var id: UInt64
        /// What was asked for.
        package var uri: String
        /// From its tags, or its list.
        package var title: String?
        /// From its tags, or its list.
        package var artist: String?
        /// From its tags, or its list.
        package var album: String?
        /// Seconds.
        package var duration: Double?
        /// Why it could not be played, or not to its end.
        package var failure: String?
    }

    /// The entries in the order of play.
    package var entries: [Entry]
    /// The place of the entry that is heard.
    package var index: Int?
    /// What follows the end.
    package var `repeat`: RepeatMode
    /// Whether the order is a shuffled one.
    package var shuffle: Bool
    /// Whether entries leave once they are over.
    package var consume: Bool
    /// Seconds that the ending of a piece and the beginning of the next are heard together at most; 0 for none.
    package var crossfade: Double

    init(_ queue: PlayQueue<QueueItem>, crossfade: MediaTime) {
        entries = queue.ids.enumerated().compactMap { index, id in
            queue[id].map { Entry(index: index, id: id.rawValue, item: $0) }
        }
        index = queue.currentIndex
        `repeat` = queue.repeatMode
        shuffle = queue.isShuffled
        consume = queue.consumes
        self.crossfade = crossfade.seconds
    }
}

extension QueueListing.Entry {
    init(index: Int, id: UInt64, item: QueueItem) {
        self.index = index
        self.id = id
        uri = item.input.uri
        title = item.info?.title ?? item.input.title
        artist = item.info?.artist ?? item.input.artist
        album = item.info?.album ?? item.input.album
        duration = item.info?.duration?.seconds
        failure = item.failure
    }
}
