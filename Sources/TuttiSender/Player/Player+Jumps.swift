import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
package import TuttiRooms
package import TuttiSchema
import TuttiStretch

/// Going elsewhere in the timeline. Where all rooms hold what is wanted, only the line moves.
extension Player {
    /// Moves within the track that is heard; beyond its end the next one begins.
    /// Before the player runs it says where the timeline is to begin.
    package func seek(_ target: SeekTarget) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        if !production.isRunning, case .to(let time) = target {
            group.timebase.place(at: max(time, .zero))
            return
        }
        let index = try currentTrack()
        let track = timeline.tracks[index]
        let place =
            switch target {
            case .to(let time): time
            case .by(let distance): track.place(at: position) + distance
            }
        if let length = track.length, place >= length {
            guard let next = queue.following(track.entry) else {
                throw .notNow("the track is only \(Int(length.seconds)) s long")
            }
            return try begin(next)
        }
        try go(to: max(place, .zero), inTrack: index)
        let heard = timeline.track(at: playhead.media)
        // In its ending the next one may be heard already.
        if heard?.entry == track.entry { follow(heard) } else { follow() }
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
        try goToBeginning(ofTrack: index, behind: index)
        follow(timeline.track(at: playhead.media))
        reviseJoins()
    }

    /// Goes to the entry at `index` of the queue.
    package func jump(to index: Int) throws(SenderError) {
        defer { commit() }
        _ = try currentTrack()
        try begin(try entry(at: index))
    }

    /// Plays this track from the place that is heard, and all that follow, so many times as fast, with the pitch kept.
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

    /// Goes to the beginning of an entry: where it is laid already, else it is laid behind the track that is heard.
    func begin(_ entry: QueueEntryID, goingBack: Bool = false) throws(SenderError) {
        guard let heard = timeline.index(at: position) else { return produce(entry, at: playhead.media) }
        let laid = timeline.tracks.indices.filter { $0 != heard && timeline.tracks[$0].entry == entry }
        if let index = goingBack ? laid.last(where: { $0 < heard }) : laid.first(where: { $0 > heard }) ?? laid.last {
            try goToBeginning(ofTrack: index, behind: heard)
        } else if timeline.tracks[heard].entry == entry {
            try goToBeginning(ofTrack: heard, behind: heard)
        } else {
            try layAnew(entry, behind: heard)
        }
        if goingBack { queue.goBack(to: entry) } else { queue.jump(to: entry) }
        follow(timeline.track(at: playhead.media))
        revise()
        reviseJoins()
    }

    private func currentTrack() throws(SenderError) -> Int {
        if phase == .connecting { throw .notNow("the rooms are still connecting") }
        if phase == .finished { throw .nothingPlaying }
        follow()
        guard let index = timeline.index(at: position) else { throw .notNow("nothing is playing yet") }
        return index
    }

    /// Goes to the beginning of a track that is laid. One that comes into the ending of another is laid anew, behind
    /// the track that is heard, to begin by itself.
    private func goToBeginning(ofTrack index: Int, behind heard: Int) throws(SenderError) {
        let track = timeline.tracks[index]
        if track.head == nil { try go(to: .zero, inTrack: index) } else { try layAnew(track.entry, behind: heard) }
    }

    /// Goes to a place in a track that is laid.
    private func go(to place: MediaTime, inTrack index: Int) throws(SenderError) {
        let track = timeline.tracks[index]
        let place = track.exact(place)
        let time = track.time(of: place)
        if group.log.contains(time), time >= track.start, track.end.map({ time < $0 }) ?? true {
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

    private func layAnew(_ entry: QueueEntryID, behind index: Int) throws(SenderError) {
        try checkReadable(entry)
        let heard = timeline.tracks[index]
        // Where it has not been made to its end, the other one lies where that is to be expected.
        let end = heard.end ?? heard.length.map { heard.time(of: $0) } ?? group.log.end ?? position
        let time = max(end, position)
        timeline.cut(from: index + 1)
        produce(entry, at: time)
        refill(at: time)
    }

    private func checkReadable(_ entry: QueueEntryID) throws(SenderError) {
        guard standardInput.isRead, queue[entry]?.input.isStandardInput == true else { return }
        throw .notNow("standard input can be moved only within what is buffered")
    }

    /// Has all rooms drop what they hold and fills them from `time`, to go on there.
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
