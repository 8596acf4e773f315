package import TuttiCore
package import TuttiPlayback
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiWire

/// What the rooms buffer of what plays, as players show it.
extension Player {
    /// Credit moves in whole seconds, so that a room whose buffer is full may lack so much of its depth.
    private static let coarseness = 1.0

    /// The place in the current track.
    package func currentTime() -> MediaTime {
        let place = position
        guard let track = timeline.track(at: place) else { return place }
        return max(.zero, track.place(at: place))
    }

    /// What plays, where it stands, and how many seconds of it pass in a second.
    package func standing() -> (id: UInt64?, time: MediaTime, rate: Double) {
        let track = timeline.track(at: position)
        return (track?.entry.rawValue, currentTime(), playhead.rate * (track?.rate ?? 1))
    }

    /// What all rooms that are up last reported to buffer of the current track, in times of that track.
    package func loadedTimeRanges() -> [TimeRange] { timeline.track(at: position).map(loadedTimeRanges) ?? [] }

    /// What all rooms that are up buffer of an entry, in times of that: where it plays, or will.
    package func loadedTimeRanges(of listener: any QueueItemListener) -> [TimeRange] {
        track(of: listener).map(loadedTimeRanges) ?? []
    }

    /// Whether there is enough of an entry in all rooms that are up: from where it stands, or from its beginning.
    package func bufferingState(of listener: any QueueItemListener) -> BufferingState {
        guard let track = track(of: listener), let depth else { return BufferingState() }
        let end = track.end ?? track.length.map { track.time(of: $0) }
        return BufferingState(loaded: loaded(), playhead: max(position, track.start), end: end, depth: depth)
    }

    /// The track that an entry is now, or will be next.
    private func track(of listener: any QueueItemListener) -> PlaybackTimeline.Track? {
        let place = position
        return timeline.tracks.first { track in
            queue[track.entry]?.listener === listener && (track.end.map { $0 > place } ?? true)
        }
    }

    private func loadedTimeRanges(of track: PlaybackTimeline.Track) -> [TimeRange] {
        let whole = TimeRange(start: .zero, end: track.length ?? MediaTime(frame: Int64(Int32.max), sampleRate: 1))
        return loaded().compactMap { range in
            TimeRange(start: track.place(at: range.start), end: track.place(at: range.end)).intersection(whole)
        }
    }

    /// Whether there is enough in all rooms that are up to play on.
    package func bufferingState() -> BufferingState {
        guard let depth else { return BufferingState() }
        return BufferingState(loaded: loaded(), playhead: position, end: timelineEnd, depth: depth)
    }

    /// Seconds that the shallowest room buffers; nil while none is up.
    private var depth: Double? {
        group.members.leastDepth.map { max($0 - Self.coarseness, $0 / 2) }
    }

    /// What all rooms that are up buffer, on the timeline.
    private func loaded() -> [TimeRange] {
        group.members.commonlyLoaded { TimeRange(start: $0.start, end: exact($0.end)) }
    }

    /// Rooms report where their buffers end in decimals of a second. A room that has everything has it to its last
    /// frame.
    private func exact(_ end: MediaTime) -> MediaTime {
        guard let last = group.log.end, abs((last - end).seconds) < 1e-5 else { return end }
        return last
    }
}
