import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
package import TuttiRooms

/// Joins with a crossfade, and what becomes of them when another one is asked for.
extension Player {
    /// Sets how long a track and the next one overlap, at the joins that have not played yet: from the first of those
    /// on everything is produced again.
    package func setCrossfade(_ seconds: Double) throws(SenderError) {
        defer { commit() }
        let length = try MediaTime(crossfade: seconds)
        if phase == .finished { throw .nothingPlaying }
        try checkAttached()
        guard length != scheduling.crossfade else { return }
        follow()
        let join = firstJoin(crossfade: length)
        if let join, timeline.tracks[(join.track + 1)...].contains(where: { $0.item.input.isStandardInput }) {
            throw .notNow("standard input is already buffered, so the crossfades before it cannot change")
        }
        scheduling.crossfade = length
        if let join { remake(join.track, from: join.time, level: level(of: timeline.tracks[join.track])) }
    }

    /// Whether an entry can overlap with the tail of another.
    func comesIn(_ entry: QueueEntryID) -> Bool {
        guard scheduling.crossfade.isPositive, let item = queue[entry], !item.input.isStandardInput, !item.input.isLive
        else {
            return false
        }
        return item.info.map { $0.duration != nil } ?? true
    }

    /// The first place on the timeline at which rooms can still be given other audio before it plays.
    var earliestChange: MediaTime {
        guard phase == .playing else { return playhead.media }
        return playhead.media(at: soon().advanced(byNanoseconds: RoomGroup.refillTime))
    }

    /// The first track whose join with the next one another crossfade changes before it plays, and from where on the
    /// track has to be produced again for that.
    private func firstJoin(crossfade: MediaTime) -> (track: Int, time: MediaTime)? {
        guard let current = timeline.index(at: position) else { return nil }
        let earliest = earliestChange
        for index in current..<timeline.tracks.count {
            let track = timeline.tracks[index]
            guard track.info.map({ $0.duration != nil }) ?? !track.item.input.isStandardInput else { continue }
            let next = timeline.tracks.dropFirst(index + 1).first
            let made = next?.start ?? timelineEnd ?? group.soundEnd ?? track.start
            let wanted = track.info?.tailPlace(crossfade: crossfade, rate: track.rate).map(track.time)
            let time = max(min(wanted ?? made, made), earliest)
            if next == nil, timelineEnd == nil {
                // While it overlaps with the tail before it, it continues as it began.
                return track.head.map { made < $0.end } ?? false ? nil : (index, min(time, made))
            }
            if next?.head != nil ? time <= made : wanted != nil && time < made { return (index, time) }
        }
        return nil
    }

    /// Produces the first join again that is still to play and was produced with another crossfade than is wanted now.
    /// Whoever goes back comes to joins that were left as they were when the crossfade changed.
    func reviseJoins() {
        guard phase != .finished, restored == nil, let current = timeline.index(at: playhead.media) else { return }
        let tracks = timeline.tracks
        for index in current..<max(current, tracks.count - 1) {
            let (track, next) = (tracks[index], tracks[index + 1])
            guard next.isPlaced, let info = track.info, let nextInfo = next.info, !failures.contains(track.entry),
                !failures.contains(next.entry)
            else { continue }
            let item = ProducerItem(
                track, serial: production.serial, crossfade: comesIn(next.entry) ? scheduling.crossfade : .zero)
            let ending = item.tailPlace(of: info).flatMap { place in
                item.ending(of: info, from: place, at: track.time(of: place))
            }
            let wanted = ending?.ending(before: nextInfo.duration?.scaled(by: 1 / next.rate))?.length ?? .zero
            let made = next.head.map { $0.end - next.start } ?? .zero
            guard abs(made.seconds - wanted.seconds) > Self.joinTolerance else { continue }
            let time = max(min(ending?.time ?? next.start, next.start), earliestChange)
            guard time <= next.start, !tracks[(index + 1)...].contains(where: { $0.item.input.isStandardInput }) else {
                return
            }
            return remake(index, from: time, level: level(of: track))
        }
    }

    /// By how many seconds a join may differ from what is asked for: frames are whole, at different rates.
    private static let joinTolerance = 0.001

    /// Produces a track again from `time` on, or from the end of the packet there, and all that follow.
    ///
    /// - Parameters:
    ///   - level: how loud it is made.
    ///   - night: night mode; nil for as it is set.
    func remake(_ index: Int, from time: MediaTime, level: TrackLevel, night: NightMode? = nil) {
        let track = timeline.tracks[index]
        let first = group.cutLogs(insideOfTrackFrom: time)
        let seam =
            group.log.end ?? group.source.heldUpTo.map { track.time(of: track.exact(track.place(at: $0))) }
            ?? track.start
        timeline.cut(from: index + 1)
        timeline.change(track.serial) { track in
            track.end = nil
            track.ending = nil
        }
        drop(from: seam, first, isFollowed: true)
        group.timelineEnd = nil
        begin(
            ProducerItem(
                track, choice: scheduling.tracks.audio, from: seam, serial: production.nextSerial,
                crossfade: scheduling.crossfade, level: level,
                night: night ?? NightMode(scheduling.isNight)), of: track)
    }
}

extension MediaTime {
    /// A crossfade's length.
    ///
    /// - Throws: `.badOption` outside of 0 … 12 s.
    package init(crossfade seconds: Double) throws(SenderError) {
        guard Crossfade.seconds.contains(seconds), let length = MediaTime(seconds: seconds, preferredTimescale: 1_000)
        else {
            throw .badOption("a crossfade is from 0 to 12 s")
        }
        self = length
    }
}
