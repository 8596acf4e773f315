/// Who watches a player, and is told what happens.
struct PlayerWatchers {
    private var continuations: [Int: AsyncStream<PlayerEvent>.Continuation] = [:]
    private var next = 0
    /// The watcher that is not told what its own words led to.
    private var owner: Int?

    /// What they were told last of the track that plays.
    var shown = ShownTrack()

    var isEmpty: Bool { continuations.isEmpty }

    /// One more watcher.
    ///
    /// - Parameter isOwner: whether it is the player's owner.
    /// - Returns: its number.
    mutating func add(_ continuation: AsyncStream<PlayerEvent>.Continuation, isOwner: Bool) -> Int {
        defer { next += 1 }
        if isOwner { owner = next }
        continuations[next] = continuation
        return next
    }

    mutating func remove(_ number: Int) { continuations[number] = nil }

    func emit(_ event: PlayerEvent, exceptOwner: Bool = false) {
        for (number, watcher) in continuations where !exceptOwner || number != owner { watcher.yield(event) }
    }

    /// Nothing happens any more.
    mutating func finish() {
        for watcher in continuations.values { watcher.finish() }
        continuations = [:]
    }
}
