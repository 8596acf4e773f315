/// All that a player needs to resume where another one stopped in the midst of it, on this host or another: what
/// `PlayerJournal` has stored.
///
/// It lies in three parts, since they change differently: a queue may have ten thousand entries, which are written
/// once, their order is numbers alone, and the rest is small. A file is outside data: `Player` checks all of it before
/// it relies on any.
package struct PlayerRecord: Sendable, Equatable {
    /// Everything but the queue's entries and their order.
    package var state: State
    /// The order of the queue.
    package var order: Order
    /// The queue's entries, in no order.
    package var entries: [Entry]

    /// A record of these parts.
    package init(state: State, order: Order, entries: [Entry]) {
        self.state = state
        self.order = order
        self.entries = entries
    }
}

extension PlayerRecord {
    /// The order of the queue, by the entries' ids.
    package struct Order: Sendable, Equatable, Codable {
        /// The order of play.
        package var ids: [UInt64]
        /// The order before it was shuffled; nil while it is not.
        package var unshuffled: [UInt64]?

        /// An order.
        package init(ids: [UInt64], unshuffled: [UInt64]? = nil) {
            self.ids = ids
            self.unshuffled = unshuffled
        }
    }
}
