import NIOCore
import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiWire

/// Going on where an earlier process stopped in the midst of it.
///
/// The rooms are the truth about the timebase, its clock and their buffers; the record is the truth about the queue,
/// the timeline and what people wanted. The rooms play their buffers to the last frame, and what follows is produced
/// from there.
extension Player {
    /// Nanoseconds that rooms are waited for before those that have answered resume without the others, which join
    /// later.
    private static let attachTimeout: Int64 = 1_000_000_000
    /// Nanoseconds that making and sending may take where rooms are about to run out.
    private static let makingTime: Int64 = 150_000_000

    /// Connects to the rooms that were played in.
    func restoreRooms(_ record: PlayerRecord) {
        deadline = now.advanced(byNanoseconds: Self.attachTimeout)
        group.phase = .attaching
        group.hasStarted = true
        failures.replace(with: Set(queue.ids.filter { queue[$0]?.failure != nil }))
        forgetStandardInput()
        for room in record.state.rooms { group.add(restoring: room) }
        for room in record.state.farewells ?? [] { group.release(restoring: room) }
        checkRooms()
    }

    /// Standard input was the earlier process's: entries of it are taken out, but for what is played of it from the
    /// buffers.
    private func forgetStandardInput() {
        standardInput.isLost = true
        let scheduled = Set(timeline.tracks.map(\.entry))
        let lost = queue.ids.filter { queue[$0]?.input.isStandardInput == true }
        guard !lost.isEmpty else { return }
        emit(.notice(.standardInputLost))
        queue.remove(Set(lost.filter { !scheduled.contains($0) }))
    }

    /// Goes on once the rooms have answered that are to be had.
    func advanceAttaching(_ record: PlayerRecord) {
        let greeted = greeted
        guard !greeted.isEmpty else { return }
        let isAwaited = group.members.contains { $0.link == .connecting }
        guard !isAwaited || deadline <= now else { return }
        restored = nil
        group.phase = .playing
        let playhead = Reattachment.playhead(
            recorded: record.state.line.playhead, earlier: group.timebase.earlier, greeted.compactMap(\.known))
        if let playhead, group.joinClock(playhead.group.timescale) {
            group.adopt(playhead, end: record.state.end)
            goOn(isHeld: !playsOnceReady, lastPosition: record.state.heard)
        } else {
            _ = group.joinClock(nil)
            beginAgain(at: max(record.state.heard, .zero), end: record.state.end, isHeld: !playsOnceReady)
        }
        for room in greeted { room.takeUp(knownEnd: record.state.end) }
        commit()
        advance()
    }

    /// The rooms that have answered and wait for what becomes of them.
    private var greeted: [any GroupRoom] { group.members.filter { $0.link == .welcomed } }

    /// Rooms know the timebase, or did when they were told last.
    ///
    /// - Parameter lastPosition: a place that played not long before the earlier process died.
    private func goOn(isHeld: Bool, lastPosition: MediaTime) {
        if let timelineEnd, isHeld, playhead.rate == 0, playhead.media >= timelineEnd {
            phase = .paused
            return emit(.state(.ended))
        }
        let furthest = greeted.compactMap { $0.kept.map(\.end).max() }.max()
        if playhead.rate > 0, timelineEnd.map({ (furthest ?? .lowest) < $0 }) ?? true {
            let near = soon().advanced(byNanoseconds: RoomGroup.refillTime + Self.makingTime)
            let place = playhead.media(at: near)
            if furthest.map({ $0 <= place }) ?? true { waitWhereRoomsRanOut(at: furthest ?? lastPosition) }
        }
        // What is made may turn out to be nothing at once.
        phase = playhead.rate > 0 ? .playing : .filling(thenPlay: !isHeld)
        let place = position
        let ends = greeted.map { $0.resumePoint(at: place) }
        make(from: ends.min() ?? place, heldUpTo: ends.filter { $0 > place }.min())
        if phase == .playing { emit(.state(.playing)) } else { refillHeld() }
    }

    /// Waits for the rooms to be ready, as the phase says.
    private func refillHeld() {
        if case .filling(let thenPlay) = phase { fill(thenPlay: thenPlay) }
    }

    /// The rooms are silent, or soon will be: all of them resume at one instant where the last of them has ended.
    private func waitWhereRoomsRanOut(at place: MediaTime) {
        let end = playhead.instant(of: place)
        let instant = end.nanoseconds > groupNow.nanoseconds ? end : groupNow
        group.adopt(Playhead(rate: 0, media: place, group: instant), end: timelineEnd)
        emit(.notice(.roomsRanOut))
    }

    /// No room knows any more where the timeline stood.
    private func beginAgain(at place: MediaTime, end: MediaTime?, isHeld: Bool) {
        group.adopt(Playhead(rate: 0, media: place, group: groupNow), end: end)
        phase = .filling(thenPlay: !isHeld)
        group.refill(from: place)
        make(from: place, heldUpTo: nil)
        refillHeld()
    }

    /// Others play in all of the rooms: playback is paused where it was last.
    func standBy(_ record: PlayerRecord) {
        restored = nil
        group.phase = .playing
        beginAgain(at: max(record.state.heard, .zero), end: record.state.end, isHeld: true)
    }

    /// - Throws: `notNow` while rooms are asked where they are: what is there to be changed is not known.
    func checkAttached() throws(SenderError) {
        if restored != nil { throw .notNow("the rooms have not reported yet what they play; try again in a moment") }
    }

    // MARK: Making

    /// What rooms lack is made again, once for all of them.
    func makeAgainSoon() {
        guard !production.isRemakeDue else { return }
        production.isRemakeDue = true
        loop.execute { self.assumeIsolated { $0.makeAgain() } }
    }

    /// A room lacks what is not in the log, since the others have it: it is made again, from there on.
    private func makeAgain() {
        production.isRemakeDue = false
        guard phase != .connecting, phase != .finished else { return }
        if isLive {
            // It cannot be made again: the room has what there is.
            group.source.begin = nil
            return group.feed()
        }
        let ends = group.retrace()
        guard let first = ends.min() else { return }
        make(from: first, heldUpTo: ends.filter { $0 > position }.min())
        group.feed()
    }

    /// Produces the timeline again, from a place up to which rooms buffer it.
    ///
    /// - Parameter held: up to where there is sound in all rooms that have any.
    private func make(from seam: MediaTime, heldUpTo held: MediaTime?) {
        // What is still being made is for another log.
        production.abandon()
        _ = group.cutLogs()
        (group.source.begin, group.source.heldUpTo) = (seam, held)
        production.awaitsFirstPacket = false
        production.limit = seam + Self.refillLookahead
        guard let last = timeline.tracks.lastIndex(where: { $0.start <= seam }) else {
            guard let first = queue.current else { return finished(at: seam) }
            return produce(first, at: seam, from: timeline.tracks.isEmpty ? seam : .zero)
        }
        // A track that may still come in later than is expected has not played: it is scheduled again.
        let index = last > 0 && !timeline.tracks[last].isPlaced ? last - 1 : last
        let track = timeline.tracks[index]
        timeline.cut(from: index + 1)
        if track.item.input.isStandardInput, standardInput.isLost {
            timeline.change(track.serial) { $0.end = min(track.end ?? seam, seam) }
            scheduleNext(at: seam, from: .zero)
        } else if let ending = track.ending, seam >= ending.time {
            guard seam < ending.end else { return scheduleNext(at: seam, from: .zero) }
            scheduleNext(in: ending.moved(to: track.exact(track.place(at: seam)), time: seam))
        } else if track.ending == nil, let end = track.end, seam >= end {
            scheduleNext(at: end, from: .zero)
        } else {
            timeline.change(track.serial) { track in
                track.end = nil
                track.ending = nil
            }
            group.timelineEnd = nil
            begin(
                ProducerItem(
                    track, choice: scheduling.tracks.audio, from: seam, serial: production.nextSerial,
                    crossfade: scheduling.crossfade, level: level(of: track), night: NightMode(scheduling.isNight)),
                of: track)
        }
    }
}
