import TuttiAssets
package import TuttiCore
import TuttiPlayback
import TuttiProduction
package import TuttiRooms

/// How loud tracks are made.
extension Player {
    /// Sets what is made equally loud. What rooms have that has not played yet is produced again from a little after
    /// the playhead on; a live stream and standard input, which cannot be had again, stay as they are.
    package func setNormalization(_ normalization: LoudnessNormalization) throws(SenderError) {
        defer { commit() }
        let before = scheduling.normalization
        guard let change = try change({ $0.normalization = normalization }, differs: normalization != before) else {
            return
        }
        let track = timeline.tracks[change.track]
        // Where nothing of the track has been made before, it has its new gain from the first frame on.
        let gain = change.time > track.start ? track.info.map { before.factor(of: $0.loudness) } : nil
        remake(
            change.track, from: change.time,
            level: .normalized(normalization, .lookedUp(configuration.loudness), after: gain))
    }

    /// Sets whether there is less difference between loud and soft, from where `setNormalization` would.
    package func setNight(_ isOn: Bool) throws(SenderError) {
        defer { commit() }
        let before = scheduling.isNight
        guard let change = try change({ $0.isNight = isOn }, differs: isOn != before) else { return }
        remake(
            change.track, from: change.time, level: level(of: timeline.tracks[change.track]),
            night: NightMode(isOn, after: before))
    }

    /// Changes how what is scheduled sounds.
    ///
    /// - Parameters:
    ///   - differs: whether it changes at all.
    ///   - what: changes, as people call it.
    ///   - isMeant: whether a track sounds otherwise then.
    /// - Returns: what has to be produced again for that; nil for nothing.
    /// - Throws: why it cannot change; nothing has changed then.
    func change(
        _ body: (inout SchedulingOptions) -> Void, differs: Bool, what: String = "loudness",
        where isMeant: (PlaybackTimeline.Track) -> Bool = { _ in true }
    ) throws(SenderError) -> (track: Int, time: MediaTime)? {
        if phase == .finished { throw .nothingPlaying }
        try checkAttached()
        guard differs else { return nil }
        follow()
        let change = soundChange(where: isMeant)
        if let change, timeline.tracks[(change.track + 1)...].contains(where: { $0.item.input.isStandardInput }) {
            throw .notNow("standard input is already buffered, so the \(what) before it cannot change")
        }
        body(&scheduling)
        return change
    }

    /// How loud a track is made that begins.
    var level: TrackLevel { .normalized(scheduling.normalization, .lookedUp(configuration.loudness)) }

    /// How loud the rest of a track is made: as what was made of it.
    ///
    /// - Parameter gain: what comes before ends at; nil for the same.
    func level(of track: PlaybackTimeline.Track, after gain: Float? = nil) -> TrackLevel {
        guard let info = track.info else { return level }
        return .normalized(scheduling.normalization, .known(info.loudness ?? TrackLoudness()), after: gain)
    }

    /// The first track that can be made otherwise before it plays, and from where on the timeline.
    private func soundChange(where isMeant: (PlaybackTimeline.Track) -> Bool) -> (track: Int, time: MediaTime)? {
        guard production.isRunning, let current = timeline.index(at: position) else { return nil }
        let earliest = earliestChange
        if let timelineEnd, earliest >= timelineEnd { return nil }
        var first = max(current, timeline.index(at: earliest) ?? current)
        // A track that may still come in later than is expected is made again after the one before.
        if first > 0, !timeline.tracks[first].isPlaced { first -= 1 }
        for index in first..<timeline.tracks.count {
            let track = timeline.tracks[index]
            let isLive = track.info.map { $0.duration == nil } ?? false
            guard !isLive, !track.item.input.isReadOnce, isMeant(track) else { continue }
            let made = timelineEnd ?? group.soundEnd ?? track.start
            return (index, max(track.start, min(earliest, made)))
        }
        return nil
    }
}
