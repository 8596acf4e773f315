import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
import TuttiSchema

extension QueueListing {
    init(
        _ queue: PlayQueue<QueueItem>, crossfade: MediaTime, normalization: LoudnessNormalization, isNight: Bool,
        tracks: TrackChoices
    ) {
        self.init(
            entries: queue.ids.enumerated().compactMap { index, id in
                queue[id].map { Entry(index: index, id: id.rawValue, item: $0) }
            }, index: queue.currentIndex, repeat: queue.repeatMode, shuffle: queue.isShuffled,
            consume: queue.consumes, crossfade: crossfade.seconds, normalise: normalization, night: isNight,
            tracks: tracks)
    }
}

extension QueueListing.Entry {
    init(index: Int, id: UInt64, item: QueueItem) {
        self.init(
            index: index, id: id, uri: item.input.uri, title: item.info?.title ?? item.input.title,
            artist: item.info?.artist ?? item.input.artist, album: item.info?.album ?? item.input.album,
            duration: item.info?.duration?.seconds, failure: item.failure)
        start = item.input.partStart
    }
}
