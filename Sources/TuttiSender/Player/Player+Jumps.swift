import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
package import TuttiRooms
package import TuttiSchema
import TuttiStretch

/// Going elsewhere in the timeline. Where all rooms buffer what is wanted, only the timebase moves.
extension Player {
    /// Moves within the current track; beyond its end the next one begins. Before the player runs this sets where the
    /// timeline is to begin.
    package func seek(_ target: SeekTarget) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        if !production.isRunning, case .to(let time) = target {
            group.timebase.place(at: max(time, .zero))
            return
        }
        let index = try currentTrack()
        let track = timeline.tracks[index]
        let place: MediaTime? =
            switch target {
            case .to(let time): time
            case .by(let distance): track.place(at: position) + distance
            case .live: nil
            }
        if track.isEndless { return try shift(to: place, inTrack: index) }
        guard let place else { throw .notNow("what plays is not live") }
        if let length = track.length, place >= length {
            guard let next = queue.following(track.entry) else {
                throw .notNow("the track is only \(Int(length.seconds)) s long")
            }
            return try begin(next)
        }
        try go(to: max(place, .zero), inTrack: index)
        followJump(inTrack: track)
    }

    /// The queue's current entry after a jump within a track.
    func followJump(inTrack track: PlaybackTimeline.Track) {
        let current = timeline.track(at: playhead.media)
        // In its tail the next one may be current already.
        if current?.entry == track.entry { follow(current) } else { follow() }
        reviseJoins()
    }

    /// Goes to the next track.
    package func next() throws(SenderError) {
        defer { commit() }
        let index = try currentTrack()
        var next = queue.following(timeline.tracks[index].entry)
        for track in timeline.tracks[(index + 1)...] where track.isSilent && track.entry == next {
            next = queue.following(track.entry)
        }
        guard let next else { throw .notNow("this is the last track") }
        try begin(next)
    }

    /// Goes to the start of the track, or, in its first three seconds, to the one before.
    package func previous() throws(SenderError) {
        defer { commit() }
        let index = try currentTrack()
        let track = timeline.tracks[index]
        var earlier = queue.preceding(track.entry)
        while let entry = earlier, queue[entry]?.failure != nil, queue[entry]?.info == nil, entry != track.entry {
            earlier = queue.preceding(entry)
        }
        if track.place(at: position) <= MediaTime(frame: 3, sampleRate: 1), let earlier {
            return try begin(earlier, goingBack: true)
        }
        try goToBeginning(ofTrack: index, after: index)
        follow(timeline.track(at: playhead.media))
        reviseJoins()
    }

    /// Goes to an entry of the queue; a queue that does not play will begin there.
    package func jump(to place: QueuePlace) throws(SenderError) {
        if isParked, !production.isRunning {
            let id = try entry(at: place)
            return try edit { $0.goBack(to: id) }
        }
        defer { commit() }
        _ = try currentTrack()
        try begin(try entry(at: place))
    }

    /// Plays this track from the current position, and all that follow, so many times as fast, with the pitch kept.
    package func setRate(_ newRate: Double) throws(SenderError) {
        defer { commit() }
        guard TimeStretcher.rates.contains(newRate) else { throw .badOption("a rate is from 0.5 to 2") }
        if !production.isRunning, phase != .finished {
            scheduling.rate = newRate
            return
        }
        let index = try currentTrack()
        guard newRate != scheduling.rate else { return }
        let track = timeline.tracks[index]
        try checkReadable(track.entry)
        guard track.info?.duration != nil else { throw .notNow("the rate of a track of unknown length cannot change") }
        scheduling.rate = newRate
        let place = track.exact(track.place(at: position))
        let time = track.time(of: place)
        timeline.cut(from: index)
        produce(track.entry, at: time, from: place)
        refill(at: time)
        follow(timeline.track(at: playhead.media))
    }

    /// Goes to the beginning of an entry: where it is scheduled already, else it is scheduled after the current track.
    func begin(_ entry: QueueEntryID, goingBack: Bool = false) throws(SenderError) {
        guard let current = timeline.index(at: position) else { return produce(entry, at: playhead.media) }
        let scheduled = timeline.tracks.indices.filter { $0 != current && timeline.tracks[$0].entry == entry }
        if let index = goingBack
            ? scheduled.last(where: { $0 < current }) : scheduled.first(where: { $0 > current }) ?? scheduled.last
        {
            try goToBeginning(ofTrack: index, after: current)
        } else if timeline.tracks[current].entry == entry {
            try goToBeginning(ofTrack: current, after: current)
        } else {
            try reschedule(entry, after: current)
        }
        if goingBack { queue.goBack(to: entry) } else { queue.jump(to: entry) }
        follow(timeline.track(at: playhead.media))
        revise()
        reviseJoins()
    }

    func currentTrack() throws(SenderError) -> Int {
        if phase == .connecting { throw .notNow("the rooms are still connecting") }
        if phase == .finished { throw .nothingPlaying }
        follow()
        guard let index = timeline.index(at: position) else { throw .notNow("nothing is playing yet") }
        return index
    }

    /// Goes to the beginning of a scheduled track. One that overlaps with the tail of another is scheduled again, after
    /// the current track, to begin on its own.
    private func goToBeginning(ofTrack index: Int, after current: Int) throws(SenderError) {
        let track = timeline.tracks[index]
        if track.isEndless, index == current { return try goLive(inTrack: index) }
        if track.head == nil { try go(to: .zero, inTrack: index) } else { try reschedule(track.entry, after: current) }
    }

    /// Goes to a place in a scheduled track. The beginning of what is live is what is live now.
    func go(to place: MediaTime, inTrack index: Int) throws(SenderError) {
        let track = timeline.tracks[index]
        let place = track.exact(place)
        let time = track.time(of: place)
        let isAnew = track.isEndless && !place.isPositive
        if !isAnew, group.log.contains(time), time >= track.start, track.end.map({ time < $0 }) ?? true {
            if phase == .playing, group.holds(time) {
                return group.move(Playhead(rate: 1, media: time, group: soon()))
            }
        } else {
            try checkReadable(track.entry)
            timeline.cut(from: index)
            produce(track.entry, at: time, from: place, head: track.head.flatMap { time < $0.end ? $0 : nil })
        }
        refill(at: time)
    }

    private func reschedule(_ entry: QueueEntryID, after index: Int) throws(SenderError) {
        try checkReadable(entry)
        let current = timeline.tracks[index]
        // Where it has not been made to its end, the other one lies where that is to be expected.
        let end = current.end ?? current.length.map { current.time(of: $0) } ?? group.log.end ?? position
        let time = max(end, position)
        timeline.cut(from: index + 1)
        produce(entry, at: time)
        refill(at: time)
    }

    private func checkReadable(_ entry: QueueEntryID) throws(SenderError) {
        guard standardInput.isRead, queue[entry]?.input.isStandardInput == true else { return }
        throw .notNow("standard input can be moved only within what is buffered")
    }

    /// Flushes all rooms and fills them from `time`, to resume there.
    private func refill(at time: MediaTime) {
        let thenPlay = phase == .playing || phase == .filling(thenPlay: true)
        group.hold(at: time)
        group.refill(from: time)
        watchers.shown.serial = nil
        guard phase != .connecting else { return }
        emit(.state(.buffering))
        fill(thenPlay: thenPlay)
    }
}
