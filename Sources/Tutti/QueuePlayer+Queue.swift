import TuttiCore
import TuttiPlayback
import TuttiRooms
import TuttiSchema
import TuttiSender

/// The queue. Every edit holds at once: what outputs have loaded and is not to be heard any more is replaced.
extension QueuePlayer {
    /// The items, in the order of play.
    public func items() async -> [PlayerItem] {
        await player.listeners { [player] in PlayerItem($0, in: player) }.compactMap { $0 as? PlayerItem }
    }

    /// The item that is heard, or will be first; nil when the queue is empty.
    public var currentItem: PlayerItem? {
        get async { await player.currentListener { [player] in PlayerItem($0, in: player) } as? PlayerItem }
    }

    /// Puts an item behind another, or at the end.
    ///
    /// - Throws: `alreadyInQueue`, `notInQueue` when `neighbour` is not, `ended`.
    public func insert(_ item: PlayerItem, after neighbour: PlayerItem? = nil) async throws(QueuePlayerError) {
        try await insert([item], after: neighbour)
    }

    /// Puts items behind another, or at the end, in their order.
    ///
    /// - Throws: `alreadyInQueue`, `notInQueue` when `neighbour` is not, `ended`.
    public func insert(_ items: [PlayerItem], after neighbour: PlayerItem? = nil) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in
            try await player.insert(items.map { $0.queueItem(in: player) }, after: neighbour)
        }
    }

    /// Takes an item out; what follows it is heard at once if it was the current one.
    ///
    /// - Throws: `notInQueue`, `ended`.
    public func remove(_ item: PlayerItem) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.remove(item) }
    }

    /// Takes all items out. The player is paused then.
    ///
    /// - Throws: `ended`.
    public func removeAllItems() async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.removeAll() }
    }

    /// Moves an item to a place, from 0.
    ///
    /// - Throws: `notInQueue`, `invalid` for a place that is not in the queue, `ended`.
    public func move(_ item: PlayerItem, to place: Int) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.move(item, to: place) }
    }

    /// Puts an item in the place of another.
    ///
    /// - Throws: `notInQueue`, `alreadyInQueue`, `ended`.
    public func replace(_ item: PlayerItem, with other: PlayerItem) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.replace(item, with: other.queueItem(in: player))
        }
    }

    /// Goes to the next item.
    ///
    /// - Throws: `notNow` behind the last item and before `play()`, `ended`.
    public func advanceToNextItem() async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.next() }
    }

    /// Goes to the beginning of the item or, in its first three seconds, of the one before.
    ///
    /// - Throws: `notNow` before `play()`, `ended`.
    public func returnToPreviousItem() async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.previous() }
    }

    /// Goes to the beginning of an item.
    ///
    /// - Throws: `notInQueue`, `notNow` before `play()`, `ended`.
    public func jump(to item: PlayerItem) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.jump(to: item) }
    }

    // MARK: What follows

    /// What follows the end of the queue, or of an item.
    public var repeatMode: RepeatMode { get async { await player.status().queue.repeat ?? .off } }

    /// Sets what follows the end of the queue, or of an item.
    ///
    /// - Throws: `ended`.
    public func setRepeatMode(_ mode: RepeatMode) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.setRepeat(mode) }
    }

    /// Whether the order is a shuffled one.
    public var isShuffled: Bool { get async { await player.status().queue.shuffle ?? false } }

    /// Shuffles what follows the current item anew, or restores the order from before.
    ///
    /// - Throws: `ended`.
    public func setShuffled(_ isShuffled: Bool) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.setShuffled(isShuffled) }
    }

    /// How many seconds the ending of an item and the beginning of the next are heard together; 0 for none.
    public var crossfade: Double { get async { await player.status().queue.crossfade ?? 0 } }

    /// Sets the crossfade, from the next join on that is not heard yet. A fade is never longer than half of either
    /// item.
    ///
    /// - Parameter seconds: 0 … 12.
    /// - Throws: `invalid` outside of that, `notNow` where standard input follows, `ended`.
    public func setCrossfade(_ seconds: Double) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.setCrossfade(seconds) }
    }

    /// The room whose card leads playback time; nil for none.
    public var reference: String? { get async { await player.status().reference } }

    /// Lets the card of this room lead playback time, so that it plays without resampling, or none with nil. Nothing
    /// jumps.
    ///
    /// - Throws: `invalid` for a room that is not played in, `refused` where the speaker of a room is too old to
    ///   follow, `ended`.
    public func setReference(_ room: String?) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.setReference(room) }
    }

    /// Whether items leave the queue once they are over.
    public var consumesItems: Bool { get async { await player.status().queue.consume ?? false } }

    /// Sets whether items leave the queue once they are over.
    ///
    /// - Throws: `ended`.
    public func setConsumesItems(_ consumes: Bool) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.setConsumes(consumes) }
    }
}
