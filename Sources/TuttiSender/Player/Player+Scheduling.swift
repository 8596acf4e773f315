import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
import TuttiRooms
import TuttiSchema

/// From the queue onto the timeline: what follows is scheduled when its turn comes, and what an edit changes is
/// scheduled again.
extension Player {
    /// Nanoseconds beyond `soon()` in which a track that is slow to open may still come.
    private static let openingTime: Int64 = 150_000_000
    /// How much is awaited before what came too slowly resumes.
    private static let stallReserve = MediaTime(frame: 2, sampleRate: 1)
    /// Tracks in a row that give no sound before no more are tried. A library whose disk is missing is not read
    /// through, and resumes where it stopped once the disk is there.
    private static let maximumFailures = 100
    /// How much is encoded at once after a change.
    static let refillLookahead = MediaTime(frame: 40, sampleRate: 1)

    /// Produces the timeline again from an entry on; what was scheduled after that must have been cut.
    ///
    /// - Parameters:
    ///   - time: where its sound begins on the timeline.
    ///   - offset: the place in it that plays there.
    ///   - head: the tail that it overlaps with there, or did before.
    func produce(
        _ entry: QueueEntryID, at time: MediaTime, from offset: MediaTime = .zero, head: CrossfadeTail? = nil
    ) {
        _ = group.cutLogs()
        production.awaitsFirstPacket = true
        production.limit = time + Self.lookahead
        schedule(entry, at: time, from: offset, head: head)
    }

    /// Schedules what follows in the queue after the track that is finished.
    func scheduleNext(at end: MediaTime, from offset: MediaTime) {
        let silent = timeline.silentAtEnd
        guard let next = timeline.last?.successor(in: queue), silent.count < queue.count else {
            return finished(at: end)
        }
        failures.givenUpAt = nil
        if silent.count >= Self.maximumFailures {
            failures.givenUpAt = silent.first?.entry
            // A player that ends before anything has played reports it as it ends.
            if !production.awaitsFirstPacket || group.hasStarted || configuration.staysAtEnd {
                emit(.notice(.givenUp(failures: silent.count)))
            }
            return finished(at: end)
        }
        schedule(next, at: end + offset, from: offset)
    }

    /// Schedules what follows in the queue after the track that is finished but for its tail; where nothing can overlap
    /// with that, the tail plays alone.
    func scheduleNext(in ending: CrossfadeTail) {
        guard let track = timeline.last else { return }
        if let next = track.successor(in: queue), comesIn(next) { return schedule(next, at: ending.time, head: ending) }
        group.timelineEnd = nil
        production.begin(ProducerItem(ending, serial: production.nextSerial, night: NightMode(scheduling.isNight)))
    }

    private func schedule(
        _ entry: QueueEntryID, at time: MediaTime, from offset: MediaTime = .zero, head: CrossfadeTail? = nil
    ) {
        guard let item = queue[entry] else { return finished(at: time) }
        group.timelineEnd = nil
        if item.input.isStandardInput { standardInput.isRead = true }
        // Its failure may have been of the moment; what it is called and how long it is stays known.
        var known = QueueItem(item.input)
        known.info = item.info
        let track = timeline.schedule(entry, known, at: time, from: offset, rate: scheduling.rate, head: head)
        expect(scheduling.tracks.audio, ofTrack: track.serial)
        begin(
            ProducerItem(
                track, choice: scheduling.tracks.audio, serial: production.nextSerial, crossfade: scheduling.crossfade,
                level: level,
                night: NightMode(scheduling.isNight), opened: production.opened), of: track)
    }

    /// Has a track made, or the rest of one.
    func begin(_ item: ProducerItem, of track: PlaybackTimeline.Track) {
        var item = item
        if track.item.input.isLive { item.live = LiveOrder(clock: configuration.clock) }
        production.begin(item)
        beginLive(track, item)
    }

    // MARK: The current entry

    /// Lets the queue's current entry be the track that plays now.
    func follow() {
        guard !production.awaitsFirstPacket, let index = timeline.index(at: position) else { return }
        for track in timeline.tracks[...index] where track.serial > followed {
            queue.jump(to: track.entry)
            followed = track.serial
        }
    }

    /// The queue's current entry is this track already.
    func follow(_ track: PlaybackTimeline.Track?) {
        if let track { followed = track.serial }
    }

    // MARK: Changes

    /// Schedules after the current track what the queue has there now. What differs is produced again, and rooms that
    /// have it drop it from where it begins; everything before stays as it is.
    func revise() {
        guard phase != .finished, restored == nil, let current = timeline.index(at: position) else { return }
        let first = timeline.firstDifference(from: queue, after: current)
        guard let last = timeline.tracks[..<first].last else { return }
        let next = last.successor(in: queue)
        // First of all the whole tail: what comes next may come in earlier than what came before could.
        if let ending = last.ending, let next, comesIn(next), ending.time >= earliestChange {
            reschedule(from: first, at: ending.time, in: ending)
        } else if timeline.tracks.indices.contains(first), let head = timeline.tracks[first].head {
            reschedule(from: first, at: head.time, in: head)
        } else if timeline.tracks.indices.contains(first) {
            let start = timeline.tracks[first].start
            guard let ending = last.ending, let made = group.soundEnd, made < start else {
                return reschedule(from: first, at: start)
            }
            // The tail is still being produced.
            reschedule(from: first, at: made, in: ending.moved(to: last.exact(last.place(at: made)), time: made))
        } else if let end = timelineEnd, next != nil {
            reschedule(from: first, at: end)
        }
    }

    /// The tracks before number `index` are followed by what the queue has, from `time` on.
    ///
    /// - Parameter ending: what begins there of the last of them, if that has a tail that the next one may overlap
    ///   with.
    private func reschedule(from index: Int, at time: MediaTime, in ending: CrossfadeTail? = nil) {
        let first = group.cutLogs(from: time)
        timeline.cut(from: index)
        let next = timeline.last?.successor(in: queue)
        drop(from: time, first, isFollowed: ending != nil || next != nil)
        if let ending { return scheduleNext(in: ending) }
        guard let next else {
            production.abandon()
            return finished(at: time)
        }
        schedule(next, at: time)
    }

    /// Lets the rooms drop what has been cut from `time` on and makes way for what comes there instead.
    ///
    /// - Parameters:
    ///   - first: the index in the log of the first packet that was cut.
    ///   - isFollowed: whether anything comes there.
    func drop(from time: MediaTime, _ first: Int, isFollowed: Bool) {
        let wasEndKnown = timelineEnd != nil
        // What no room takes yet is not produced either, however often something is added after it.
        let taken = max(group.reached ?? time, position)
        waitIfLate(at: time, isFollowed: isFollowed)
        group.flush(from: time, unlessBefore: wasEndKnown ? nil : first)
        production.limit = min(time, taken) + Self.refillLookahead
    }

    /// Lets the rooms wait at `time` when that plays too soon for them to have by then what follows there now.
    private func waitIfLate(at time: MediaTime, isFollowed: Bool) {
        guard phase == .playing else {
            // What they had made ready may be what was cut.
            let isNear = time < position + MediaTime(frame: 1, sampleRate: 1)
            if isNear { group.outdateReadiness() }
            return
        }
        let (instant, soon) = (playhead.instant(of: time), soon())
        let needed = soon.advanced(byNanoseconds: isFollowed ? RoomGroup.refillTime : 0)
        guard instant.nanoseconds < needed.nanoseconds else { return }
        // A room that hears of it too late, as one with a long output delay does, stops when it can; the others do not
        // stop for it before.
        wait(at: time, from: instant.nanoseconds < groupNow.nanoseconds ? groupNow : instant)
    }

    /// Lets the rooms wait at the end of what there is while more is slow to come: the next track, or more of this one.
    func waitForSound() {
        guard timelineEnd == nil, !production.awaitsFirstPacket, !isLive, let end = group.soundEnd else { return }
        let instant = playhead.instant(of: end)
        guard instant.nanoseconds < soon().advanced(byNanoseconds: Self.openingTime).nanoseconds else { return }
        production.stalledAt = end
        emit(.stalled)
        wait(at: end, from: instant)
    }

    /// Whether the rooms wait for sound and too little has come yet to resume without waiting again soon.
    var isShortOfSound: Bool {
        guard let stalledAt = production.stalledAt, stalledAt == playhead.media, timelineEnd == nil else {
            return false
        }
        return (group.log.end ?? stalledAt) < stalledAt + Self.stallReserve
    }

    /// Lets the rooms wait at `time` from an instant on until they can resume there.
    private func wait(at time: MediaTime, from instant: GroupTime) {
        group.move(Playhead(rate: 0, media: time, group: instant))
        group.outdateReadiness()
        watchers.shown.serial = nil
        emit(.state(.buffering))
        fill(thenPlay: true)
    }
}
