import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
package import TuttiRooms
import TuttiSchema

/// What stays of a queue when it stops: the tracks, the settings and the place, for a player that resumes later.
extension Player {
    /// The queue as it stands now, stopped; nil when there is nothing to resume.
    package func leftover() -> PlayerRecord? {
        guard group.hasStarted || isParked else { return nil }
        follow()
        var queue = queue
        let isOver = queue.current == nil || timelineEnd.map { position >= $0 } ?? false
        // Standard input can be read once.
        var gone = Set(queue.ids.filter { queue[$0]?.input.isStandardInput == true })
        if isOver, queue.consumes, let last = queue.current { gone.insert(last) }
        let place = isOver || queue.current.map(gone.contains) ?? true ? .zero : placeInTrack
        let next = isOver && queue.repeatMode == .single ? queue.current.flatMap { queue.following($0) } : nil
        queue.remove(gone)
        guard let first = queue.ids.first else { return nil }
        if isOver || queue.current == nil { queue.goBack(to: first) }
        // A queue that stops after each track is resumed with the next one.
        if let next { queue.goBack(to: next) }
        if isOver, let track = failures.givenUpAt { queue.goBack(to: track) }
        var state = recordedState
        state.isStopped = true
        (state.current, state.nextEntry, state.heard) = (queue.current?.rawValue, queue.nextID, place)
        (state.lane, state.nextSerial, state.followed, state.end) = ([], 0, -1, nil)
        (state.farewells, state.earlierLines) = (nil, [])
        state.rooms = state.rooms.map { StoredRoom($0.address) }
        let order = PlayerRecord.Order(
            ids: queue.ids.map(\.rawValue), unshuffled: queue.listOrder?.map(\.rawValue))
        let entries = queue.ids.compactMap { id in queue[id].map { PlayerRecord.Entry(id, $0) } }
        return PlayerRecord(state: state, order: order, entries: entries)
    }

    /// Where in the track the rooms are; its beginning where it has no length, as a station.
    private var placeInTrack: MediaTime {
        guard let track = timeline.track(at: position) else { return isParked ? max(playhead.media, .zero) : .zero }
        guard let length = track.length else { return .zero }
        let place = track.place(at: position)
        return place > .zero && place < length ? place : .zero
    }

    /// The track that a stopped queue begins with.
    var parkedItem: PlayerStatus.Item? {
        guard isParked, !production.isRunning, let id = queue.current, let item = queue[id] else { return nil }
        var status = PlayerStatus.Item(
            index: queue.currentIndex ?? 0, id: id.rawValue, title: item.info?.title ?? item.input.title,
            artist: item.info?.artist ?? item.input.artist, album: item.info?.album ?? item.input.album,
            duration: item.info?.duration?.seconds, uri: item.input.uri)
        status.start = item.input.partStart
        status.tracks = item.info?.tracks.map { TrackListing($0, trackChoices(for: id)) }
        return status
    }

    /// Writes down a queue that does not play.
    package func keep() { commit() }

    /// Tells all watchers but the owner, whose words they are, something worth a line.
    package func tell(_ notice: String) {
        watchers.emit(.notice(.said(notice)), exceptOwner: true)
    }

    /// Whether it has found its rooms again after its process was started again.
    package var isAttached: Bool { restored == nil }
}

extension PlayerRecord {
    /// The stopped queue for other rooms.
    package func moved(to rooms: [RoomAddress]) -> PlayerRecord {
        var record = self
        record.state.rooms = rooms.map { StoredRoom($0) }
        return record
    }

    /// Everything in it, as a change of what was stored before.
    package var change: PlayerChange {
        var change = PlayerChange()
        change.isWhole = true
        (change.state, change.order, change.entries) = (state, order, entries)
        return change
    }
}
