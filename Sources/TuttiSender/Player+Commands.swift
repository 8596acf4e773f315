import TuttiAssets
import TuttiCore
import TuttiWire

/// What people ask for.
extension Player {
    /// Holds all rooms at one instant.
    package func pause() throws(SenderError) {
        switch phase {
        case .playing:
            let group = soon()
            move(Playhead(rate: 0, media: snapped(playhead.media(at: group)), group: group))
            phase = .paused
            emit(.state(.paused))
        case .filling(thenPlay: true): phase = .filling(thenPlay: false)
        case .paused, .filling: break
        case .connecting: throw .notNow("the rooms are still being connected")
        case .finished: throw .nothingPlaying
        }
    }

    /// Goes on.
    package func resume() throws(SenderError) {
        switch phase {
        case .paused:
            move(Playhead(rate: 1, media: playhead.media, group: soon()))
            phase = .playing
            emit(.state(.playing))
        case .filling(thenPlay: false): phase = .filling(thenPlay: true)
        case .playing, .filling, .connecting: break
        case .finished: throw .nothingPlaying
        }
    }

    /// Pauses or resumes.
    package func toggle() throws(SenderError) {
        switch phase {
        case .paused, .filling(thenPlay: false): try resume()
        default: try pause()
        }
    }

    /// Ends the programme in all rooms.
    package func stop() {
        finish(PlayerOutcome(exitCode: 0, message: nil))
    }

    /// Moves within the piece that is heard; beyond its end the next one begins.
    package func seek(_ target: SeekTarget) throws(SenderError) {
        try checkMovable()
        let index = programme.index(at: position)
        guard let start = programme.items[index].start else { throw .notNow("nothing is playing yet") }
        let place = position - start
        let offset =
            switch target {
            case .to(let time): time
            case .by(let distance): place + distance
            }
        if let duration = length(of: index), offset >= duration {
            guard programme.items.indices.contains(index + 1) else {
                throw .notNow("the piece is \(Int(duration.seconds)) s long")
            }
            return try begin(item: index + 1)
        }
        try jump(to: max(offset, .zero), item: index)
    }

    /// Goes to the next piece.
    package func next() throws(SenderError) {
        try checkMovable()
        let index = programme.index(at: position) + 1
        guard programme.items.indices.contains(index) else { throw .notNow("this is the last piece") }
        try begin(item: index)
    }

    /// Goes to the start of the piece, or, in its first three seconds, to the one before.
    package func previous() throws(SenderError) {
        try checkMovable()
        let index = programme.index(at: position)
        let place = position - (programme.items[index].start ?? .zero)
        let earlier = programme.items.indices.last { $0 < index && programme.items[$0].info != nil }
        if place <= MediaTime(frame: 3, sampleRate: 1), let earlier { return try begin(item: earlier) }
        try jump(to: .zero, item: index)
    }

    /// Sets a room's volume, or that of all.
    package func setVolume(_ change: VolumeChange, room name: String?) throws(SenderError) {
        let chosen = try rooms(named: name)
        for room in chosen {
            let percent = change.applied(to: room.status?.volume ?? 100)
            let command = VolumeCommand(percent: percent, isMuted: room.status?.isMuted ?? false)
            carryOut(room.session.send(.volume(command), now: now), in: room)
            room.status?.volume = percent
        }
    }

    /// Sets how late a room's output is by itself, in milliseconds of ±5000; its speaker remembers it.
    package func setOutputDelay(_ milliseconds: Double, room name: String) throws(SenderError) {
        guard WireLimits.outputDelayMs.contains(milliseconds) else {
            throw .badOption("an output delay is from -5000 to 5000 ms")
        }
        for room in try rooms(named: name) {
            carryOut(room.session.send(.outputDelay(milliseconds: milliseconds), now: now), in: room)
            room.status?.outputDelayMs = milliseconds
        }
    }

    private func rooms(named name: String?) throws(SenderError) -> [Room] {
        guard let name else { return rooms.filter(\.isUp) }
        guard let room = rooms.first(where: { $0.label.lowercased() == name.lowercased() }) else {
            throw .noSuchRoom(name)
        }
        guard room.isUp else { throw .roomUnreachable(room.label, reason: "the room is not connected now") }
        return [room]
    }

    // MARK: Jumps

    private func checkMovable() throws(SenderError) {
        if phase == .connecting { throw .notNow("the rooms are still being connected") }
        if phase == .finished { throw .nothingPlaying }
    }

    private func begin(item index: Int) throws(SenderError) {
        // Where the pieces before have not been decoded to their end, the next one follows what there is.
        programme.items[index].start = programme.plannedStart(of: index) ?? log.end ?? position
        try jump(to: .zero, item: index)
    }

    /// Goes to `offset` in an item whose start is known.
    private func jump(to offset: MediaTime, item index: Int) throws(SenderError) {
        let start = programme.items[index].start ?? .zero
        let rate = programme.items[index].info?.sampleRate
        let exact = rate.map { MediaTime(frame: offset.frame(at: $0), sampleRate: $0) } ?? offset
        let time = start + exact
        let thenPlay = phase == .playing || phase == .filling(thenPlay: true)
        if log.contains(time), programme.index(at: time) == index {
            if rooms.allSatisfy({ !$0.isUp || holds($0, time) }), thenPlay, phase == .playing {
                return move(Playhead(rate: 1, media: time, group: soon().advanced(byNanoseconds: 70_000_000)))
            }
        } else {
            guard !programme.items[index].input.isStandardInput else {
                throw .notNow("standard input cannot be moved in beyond what is buffered")
            }
            produce(item: index, start: start, offset: exact)
        }
        hold(at: time)
        for room in rooms where room.session.isControlOpen {
            room.cursor = nil
            room.resumeAt = time
            carryOut(room.session.flush(from: nil, now: now), in: room)
            room.status = nil
        }
        shownItem = nil
        emit(.state(.buffering))
        fill(thenPlay: thenPlay)
    }

    /// Whether a room can go on at `time` from what it holds, by its last word.
    private func holds(_ room: Room, _ time: MediaTime) -> Bool {
        let place = time.seconds
        let needed = min(place + 1, programmeEnd?.seconds ?? .infinity)
        return room.status?.loaded.contains { $0[0] <= place && $0[1] >= needed } ?? false
    }

    private func length(of index: Int) -> MediaTime? {
        let item = programme.items[index]
        if let start = item.start, let end = item.end { return end - start }
        return item.info?.duration
    }

    /// The nearest whole frame of the piece at `time`.
    private func snapped(_ time: MediaTime) -> MediaTime {
        let item = programme.items[programme.index(at: time)]
        guard let start = item.start, let rate = item.info?.sampleRate else { return time }
        return start + MediaTime(frame: (time - start).frame(at: rate), sampleRate: rate)
    }
}
