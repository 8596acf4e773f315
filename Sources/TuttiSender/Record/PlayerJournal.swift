/// Where a player writes down what it would need to resume after its process has died.
///
/// Write-ahead: a change is stored before any room is told of it, and before whoever asked for it is answered. So
/// `store` returns once the change would survive the death of the process. It is called on the player's event loop,
/// which does nothing else meanwhile: a few milliseconds do no harm, since the rooms play from their buffers. The
/// journal reports what cannot be stored; the music keeps playing.
package protocol PlayerJournal: AnyObject, Sendable {
    /// Stores what has changed, all of it or nothing.
    func store(_ change: PlayerChange)
}

/// What of a player's record is not what it was.
package struct PlayerChange: Sendable, Equatable {
    /// Whether nothing that was stored of the player before counts any more.
    package var isWhole = false
    /// The state; nil for the one stored last.
    package var state: PlayerRecord.State?
    /// The order of the queue; nil for the one stored last.
    package var order: PlayerRecord.Order?
    /// Entries that are new, or take the place of those of the same id.
    package var entries: [PlayerRecord.Entry] = []
    /// The ids of entries that are gone.
    package var removed: [UInt64] = []

    /// No change.
    package init() {}

    /// Whether there is nothing to store.
    package var isEmpty: Bool { state == nil && order == nil && entries.isEmpty && removed.isEmpty && !isWhole }
}

extension PlayerRecord {
    /// The record with a change carried out; nil when a change that is not whole is all there is.
    package static func applying(_ change: PlayerChange, to record: PlayerRecord?) -> PlayerRecord? {
        guard var result = record, !change.isWhole else {
            guard let state = change.state, let order = change.order else { return nil }
            return PlayerRecord(state: state, order: order, entries: change.entries)
        }
        if let state = change.state { result.state = state }
        if let order = change.order { result.order = order }
        let replaced = Set(change.removed + change.entries.map(\.id))
        if !replaced.isEmpty { result.entries.removeAll { replaced.contains($0.id) } }
        result.entries += change.entries
        return result
    }
}
