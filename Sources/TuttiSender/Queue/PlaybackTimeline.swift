package import TuttiCore
package import TuttiPlayback
package import TuttiProduction

/// What plays, and when: tracks end to end on one media timeline, as the queue had them follow each other when their
/// turn came.
///
/// A track begins at the exact sum of the frames of those before it, or, with a crossfade, in the tail of the one
/// before: then both play there, and the one that begins is current. The queue is asked what to schedule next only once
/// the track before has been produced to its end; an edit cuts the timeline where it differs from what the queue has by
/// now. With repetition an entry is scheduled many times.
package struct PlaybackTimeline: Sendable {
    /// The tracks, by time. Those long gone are forgotten.
    package private(set) var tracks: [Track] = []
    /// The serial number that the next track will have.
    package private(set) var nextSerial = 0

    /// A timeline without tracks.
    package init() {}

    /// A timeline as it was before.
    init(restoring tracks: [Track], nextSerial: Int) {
        precondition(tracks.last.map { $0.serial < nextSerial } ?? true, "a serial number is used twice")
        self.tracks = tracks
        self.nextSerial = nextSerial
    }

    /// The track that is being made, or was made last.
    package var last: Track? { tracks.last }

    /// The number in `tracks` of the one that is current at `time`: the last that begins at or before it and is not
    /// silent.
    package func index(at time: MediaTime) -> Int? {
        tracks.lastIndex { $0.start <= time && !$0.isSilent } ?? tracks.indices.first
    }

    /// The track that is current at `time`.
    package func track(at time: MediaTime) -> Track? { index(at: time).map { tracks[$0] } }

    /// Schedules a track after the last one, which is over there if it has not been produced to its end.
    ///
    /// - Parameters:
    ///   - start: where its sound begins on the timeline.
    ///   - offset: the place in it that plays there.
    ///   - rate: seconds of it in a second of the timeline.
    ///   - head: the tail that it overlaps with, from `start` on or later.
    @discardableResult
    package mutating func schedule(
        _ entry: QueueEntryID, _ item: QueueItem, at start: MediaTime, from offset: MediaTime = .zero,
        rate: Double = 1, head: CrossfadeTail? = nil
    ) -> Track {
        precondition(rate > 0, "a track plays at a rate above 0")
        precondition(tracks.last.map { $0.serial < nextSerial } ?? true, "a serial number is used twice")
        let track = Track(
            serial: nextSerial, entry: entry, item: item, start: start, offset: offset, rate: rate, head: head,
            isPlaced: head == nil || offset.isPositive)
        nextSerial += 1
        if let index = tracks.indices.last, tracks[index].end == nil { tracks[index].end = start }
        tracks.append(track)
        return track
    }

    /// Takes away the tracks from number `index` on.
    package mutating func cut(from index: Int) {
        tracks.removeSubrange(min(max(index, 0), tracks.count)...)
    }

    /// Forgets the tracks that have ended at or before `time`, but for the last one.
    package mutating func forget(before time: MediaTime) {
        let kept = tracks.firstIndex { track in track.end.map { $0 > time } ?? true } ?? tracks.count - 1
        if kept > 0 { tracks.removeFirst(kept) }
        precondition(kept < 0 || !tracks.isEmpty, "the last track is never forgotten")
    }

    /// Changes the track of this serial number, if it is there still.
    package mutating func change(_ serial: Int, _ body: (inout Track) -> Void) {
        guard let index = tracks.lastIndex(where: { $0.serial == serial }) else { return }
        body(&tracks[index])
    }

    /// The number of the first track after `index` that is not what follows in `queue`; the number after the last track
    /// when all are.
    package func firstDifference<Item>(from queue: PlayQueue<Item>, after index: Int) -> Int {
        var next = index + 1
        while next < tracks.count, tracks[next - 1].successor(in: queue) == tracks[next].entry { next += 1 }
        return next
    }

    /// The tracks at the end that gave no sound, one after the other.
    package var silentAtEnd: ArraySlice<Track> { tracks[(tracks.lastIndex { !$0.isSilent }.map { $0 + 1 } ?? 0)...] }
}
