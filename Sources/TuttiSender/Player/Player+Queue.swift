package import TuttiAssets
package import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiProduction
package import TuttiRooms
package import TuttiSchema

/// Edits of the queue while it plays. The current track keeps playing unless an edit takes it out: then the next one
/// begins.
extension Player {
    /// Adds tracks at the end.
    package func add(_ inputs: [AssetInput]) throws(SenderError) {
        try edit { $0.append(inputs.map(QueueItem.init)) }
    }

    /// Adds tracks right after the current one, or after the next one where that has already begun to leave a room's
    /// card.
    package func insert(_ inputs: [AssetInput]) throws(SenderError) {
        follow()
        let begun = begunIndex
        let items = inputs.map(QueueItem.init)
        try edit { queue in
            if let begun { queue.insert(items, at: begun + 1) } else { queue.insertNext(items) }
        }
    }

    /// The place in the queue of a track that is not current yet although its beginning has left a room's card: what
    /// plays two seconds late has left two seconds early.
    private var begunIndex: Int? {
        // Otherwise the rooms pause for a moment, so that nothing but what was asked for follows.
        guard phase == .playing, restored == nil, ChangeLead.isLong(group.commandLead),
            let current = timeline.index(at: position),
            let begun = timeline.index(at: playhead.media(at: soon())), begun > current
        else { return nil }
        return queue.index(of: timeline.tracks[begun].entry)
    }

    /// Takes out these entries.
    package func remove(_ places: [QueuePlace]) throws(SenderError) {
        follow()
        var victims: Set<QueueEntryID> = []
        for place in places { victims.insert(try entry(at: place)) }
        try edit { $0.remove(victims) }
    }

    /// Moves an entry so that it is then at the index `target`.
    package func move(from place: QueuePlace, to target: Int) throws(SenderError) {
        let (id, _) = (try entry(at: place), try entry(at: .index(target)))
        try edit { queue in
            if let index = queue.index(of: id) { queue.move(from: index, to: target) }
        }
    }

    /// Puts another track in the place of an entry.
    package func replace(_ place: QueuePlace, with input: AssetInput) throws(SenderError) {
        let id = try entry(at: place)
        try edit { $0.replace(id, with: QueueItem(input)) }
    }

    /// Takes out everything but the current track.
    package func clear() throws(SenderError) {
        try edit { $0.clear() }
    }

    /// Shuffles what follows again, or restores the order from before.
    package func setShuffled(_ isShuffled: Bool) throws(SenderError) {
        let seed = group.host.random.next()
        try edit { isShuffled ? $0.shuffle(seed: seed) : $0.unshuffle() }
    }

    /// Sets what follows the end.
    package func setRepeat(_ mode: RepeatMode) throws(SenderError) {
        try edit { $0.repeatMode = mode }
    }

    /// Sets whether tracks leave the queue once they are over.
    package func setConsumes(_ consumes: Bool) throws(SenderError) {
        try edit { $0.consumes = consumes }
    }

    /// The whole queue.
    package func listing() -> QueueListing {
        follow()
        return QueueListing(
            queue, crossfade: scheduling.crossfade, normalization: scheduling.normalization,
            isNight: scheduling.isNight,
            tracks: scheduling.tracks)
    }

    /// The tracks of the queue in the order of play, with what lists and files say of them.
    package func inputs() -> [ControlInput] {
        follow()
        return queue.ids.compactMap { id in
            queue[id].map { item in
                var input = ControlInput(item.input, directory: "/")
                input.title = input.title ?? item.info?.title
                input.artist = input.artist ?? item.info?.artist
                input.album = input.album ?? item.info?.album
                return input
            }
        }
    }

    /// The entry that is meant, as the queue is now: whoever edits it does both in one go.
    func entry(at place: QueuePlace) throws(SenderError) -> QueueEntryID {
        follow()
        let index: Int
        switch place {
        case .index(let number): index = number
        case .id(let number):
            let id = QueueEntryID(rawValue: number)
            guard queue[id] != nil else { throw .noSuchEntryID(number) }
            return id
        }
        guard queue.ids.indices.contains(index) else {
            // Any number may be asked for, the last one there is too.
            throw .noSuchEntry(index < .max ? index + 1 : index, count: queue.count)
        }
        return queue.ids[index]
    }

    /// Changes the queue, and the timeline with it.
    func edit(_ change: (inout PlayQueue<QueueItem>) -> Void) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        try checkAttached()
        follow()
        var edited = queue
        change(&edited)
        try checkStandardInput(in: edited)
        let before = queue.current
        queue = edited
        if queue.current == before { return revise() }
        // Before it runs there is no timeline.
        guard production.isRunning else {
            // Another track is the first one now.
            if isParked { group.timebase.place(at: .zero) }
            return
        }
        guard let next = queue.current else { return finishTimeline() }
        try begin(next)
    }

    /// Standard input can be read once: what has been read of it cannot be produced again.
    private func checkStandardInput(in edited: PlayQueue<QueueItem>) throws(SenderError) {
        guard standardInput.isRead, let current = timeline.index(at: position) else { return }
        // Where the current track goes away, the next one follows.
        let isKept = edited.current == queue.current
        let next = timeline.tracks.indices.first { $0 > current && timeline.tracks[$0].entry == edited.current }
        let first = timeline.firstDifference(from: edited, after: isKept ? current : next ?? current)
        let isCut = timeline.tracks[first...].contains {
            $0.item.input.isStandardInput && edited.contains($0.entry)
        }
        if isCut { throw .notNow("standard input is already buffered, so nothing can be inserted before it") }
    }
}
