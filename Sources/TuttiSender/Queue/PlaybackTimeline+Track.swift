package import TuttiAssets
package import TuttiCore
package import TuttiPlayback
package import TuttiProduction

extension PlaybackTimeline {
    /// One track on the timeline.
    package struct Track: Sendable {
        /// Counts the tracks that were scheduled; never used twice.
        package let serial: Int
        /// The entry of the queue that it is.
        package let entry: QueueEntryID
        /// What the entry is, as far as it was known.
        package internal(set) var item: QueueItem
        /// Where its sound begins on the timeline.
        package internal(set) var start: MediaTime
        /// The place in it that plays there.
        package internal(set) var offset: MediaTime
        /// How many seconds of it pass in a second of the timeline.
        package let rate: Double
        /// Where it ends on the timeline once it was produced to its end, or to its tail.
        package internal(set) var end: MediaTime?
        /// The tail of the track before that it overlaps with.
        package var head: CrossfadeTail?
        /// Its own tail, once everything before that was produced.
        package var ending: CrossfadeTail?
        /// Whether it is known to begin at `start`: a track that overlaps with a tail is expected where that begins,
        /// and may come in later.
        package var isPlaced = true
        /// What a station or a live source says that it plays, each from its place on the timeline on.
        var said: [(number: Int, start: MediaTime, tags: StreamTags?)] = []
        /// Grows with them.
        private(set) var lastNumber = 0

        /// Titles that are kept: no station changes its title every second for longer than rooms buffer.
        private static let maximumTitles = 512

        /// What is known since it was opened.
        package var info: AssetInfo? { item.info }

        /// Whether it turned out to have no sound.
        package var isSilent: Bool { end.map { $0 <= start } ?? false }

        /// Whether it goes on for as long as it is listened to: a station, or a live source.
        package var isEndless: Bool {
            item.input.isLive || info?.isEndless == true
        }

        /// The place in the track that plays at `time`. This and `time(of:)` are all that know how the two belong
        /// together.
        package func place(at time: MediaTime) -> MediaTime { offset + (time - start).scaled(by: rate) }

        /// Where a place in the track lies on the timeline; before `start` for one that was left out.
        /// Stretched, it is the nearest whole frame of what was made of the track.
        package func time(of place: MediaTime) -> MediaTime {
            let distance = (place - offset).scaled(by: 1 / rate)
            guard rate != 1, let frames = info?.sampleRate else { return start + distance }
            return start + MediaTime(frame: distance.frame(at: frames), sampleRate: frames)
        }

        /// How long the track is, the part that was left out included; nil when that is not known.
        package var length: MediaTime? { end.map { place(at: $0) } ?? info?.duration }

        /// The entry of `queue` that is played after the track; one without sound is not repeated.
        package func successor<Item>(in queue: PlayQueue<Item>) -> QueueEntryID? {
            isSilent ? queue.following(entry) : queue.successor(of: entry)
        }

        /// What a station or a live source says at `time` that it plays; nil where it says nothing.
        package func streamTags(at time: MediaTime) -> StreamTags? { said.last { $0.start <= time }?.tags }

        /// It says this from `time` on.
        package mutating func note(_ tags: StreamTags?, at time: MediaTime) {
            said.removeAll { $0.start >= time }
            lastNumber += 1
            said.append((lastNumber, time, tags))
            if said.count > Self.maximumTitles { said.removeFirst() }
        }

        /// It was opened: what was meant as its beginning is the whole frame nearest to that.
        package mutating func open(_ info: AssetInfo) {
            item.info = info
            let place = exact(offset)
            (start, offset) = (time(of: place), place)
        }

        /// The whole frame of the track nearest to a place in it.
        package func exact(_ place: MediaTime) -> MediaTime {
            guard let rate = info?.sampleRate else { return place }
            return MediaTime(frame: place.frame(at: rate), sampleRate: rate)
        }
    }
}
