import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiRooms

/// Time shift: what has no end can be heard later than it is live, as far back as it is kept, and caught up with again.
extension Player {
    /// What is live of a station: a place that was live at an instant. From there on it goes on by itself.
    struct LiveEdge {
        /// The serial number of the station's track.
        let track: Int
        let media: MediaTime
        let group: GroupTime
        /// Whether it has been heard: what is heard first is as live as it gets.
        let isHeard: Bool
    }

    /// How much is kept of what has played of a station or a live source.
    private static let endlessHistory = MediaTime(frame: 300, sampleRate: 1)
    /// Bytes of memory above which no more of it is kept than of any track.
    private static let maximumHistoryBytes = 48 << 20
    /// Bytes of memory that a packet takes beside its sound: the short ones of a quick live source are mostly that.
    private static let packetCost = 3_072
    /// How much of the oldest goes at once where there are more.
    private static let historyStep = MediaTime(frame: 5, sampleRate: 1)
    /// How long a start may take.
    private static let start = MediaTime(frame: 3, sampleRate: 1)
    /// What has to lie ahead of a place for the rooms to play on from there.
    private static let reserve = MediaTime(frame: 1, sampleRate: 1)

    /// From where on what has played is kept.
    var historyStart: MediaTime {
        let usual = position - Self.history
        guard timeline.track(at: position)?.isEndless == true else { return usual }
        let long = position - Self.endlessHistory
        let log = group.log
        let bytes = log.byteCount + (log.endIndex - log.firstIndex) * Self.packetCost
        guard bytes > Self.maximumHistoryBytes, let start = log.start else { return long }
        return max(long, min(start + Self.historyStep, usual))
    }

    /// Seconds that what is heard is behind what is live; nil for what has an end.
    func behind(in track: PlaybackTimeline.Track) -> Double? {
        guard track.isEndless else { return nil }
        if track.item.input.isLive {
            return live.map { max(0, Double($0.latency - $0.wanted) * 1e-9) } ?? 0
        }
        return max(0, livePlace(of: track).map { ($0 - position).seconds } ?? 0)
    }

    /// Ten times a second: sees what is live of a station.
    func followEdge() {
        guard let track = timeline.track(at: position), track.isEndless, !track.item.input.isLive else { return }
        let isHeard = phase == .playing && playhead.rate > 0 && groupNow.nanoseconds >= playhead.group.nanoseconds
        guard let edge = livePlace(of: track) else {
            if !production.awaitsFirstPacket { setEdge(of: track, position, isHeard: isHeard) }
            return
        }
        if isHeard, liveEdge?.isHeard == false {
            // Unless it was paused before it began.
            return setEdge(of: track, edge < position + Self.start ? position : edge, isHeard: true)
        }
        // While all of it is taken, nothing that has not come is live.
        guard isHeard, let end = group.log.end, end < edge, end < production.limit - Self.reserve else { return }
        setEdge(of: track, max(end, position), isHeard: true)
    }

    private func setEdge(of track: PlaybackTimeline.Track, _ media: MediaTime, isHeard: Bool) {
        liveEdge = LiveEdge(track: track.serial, media: media, group: groupNow, isHeard: isHeard)
    }

    /// The place on the timeline that is live now; nil where that is not known.
    private func livePlace(of track: PlaybackTimeline.Track) -> MediaTime? {
        guard let liveEdge, liveEdge.track == track.serial else { return nil }
        return liveEdge.media + MediaTime(frame: groupNow.nanoseconds(since: liveEdge.group), sampleRate: 1_000_000_000)
    }

    /// Goes to a place in a track without an end: back as far as it is kept, and ahead as far as it is live, which nil
    /// stands for.
    func shift(to place: MediaTime?, inTrack index: Int) throws(SenderError) {
        let track = timeline.tracks[index]
        guard let place, let start = group.log.start, let end = group.log.end else { return try goLive(inTrack: index) }
        let time = max(track.start, start, track.time(of: place))
        guard time + Self.reserve <= end, livePlace(of: track).map({ time < $0 }) ?? true else {
            return try goLive(inTrack: index)
        }
        // The beginning would be what is live now.
        try go(to: max(track.place(at: time), MediaTime(frame: 1, sampleRate: 1_000)), inTrack: index)
        followJump(inTrack: track)
    }

    /// Goes to what is live: within what has come, or by connecting to the station anew.
    func goLive(inTrack index: Int) throws(SenderError) {
        let track = timeline.tracks[index]
        if let place = livePlace(of: track), let end = group.log.end, end < production.limit - Self.reserve,
            place + Self.reserve <= end || place <= position + Self.reserve
        {
            // Where it is heard as it comes there is nothing to do.
            guard place > position + Self.reserve else { return }
            try go(to: track.place(at: place), inTrack: index)
        } else {
            try go(to: .zero, inTrack: index)
        }
        followJump(inTrack: track)
    }
}
