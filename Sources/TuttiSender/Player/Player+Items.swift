package import TuttiPlayback
import TuttiProduction
package import TuttiRooms
import TuttiSchema

/// The queue for those who know its entries by their listeners: an edit means the entry wherever it has gone meanwhile.
extension Player {
    /// Makes a listener for an entry that has none.
    package typealias ListenerMaker = @Sendable (QueueItem) -> any QueueItemListener

    /// The entries' listeners, in the order of play.
    package func listeners(_ make: ListenerMaker) -> [any QueueItemListener] {
        follow()
        return queue.ids.compactMap { listener(of: $0, make) }
    }

    /// The listener of the current entry, or of the one that will be first.
    package func currentListener(_ make: ListenerMaker) -> (any QueueItemListener)? {
        follow()
        return queue.current.flatMap { listener(of: $0, make) }
    }

    /// The listener of an entry; nil when it is not in the queue any more.
    package func listener(of id: QueueEntryID, _ make: ListenerMaker) -> (any QueueItemListener)? {
        guard let item = queue[id] else { return nil }
        if let listener = item.listener { return listener }
        let listener = make(item)
        queue[id]?.listener = listener
        return listener
    }

    /// Adds items after the entry that `neighbour` listens to, or at the end.
    ///
    /// - Throws: `.itemInQueue` when the queue has one of their listeners, `.itemNotInQueue` when it has no
    ///   `neighbour`.
    package func insert(_ items: [QueueItem], after neighbour: (any QueueItemListener)?) throws(SenderError) {
        try checkNew(items)
        guard let neighbour else { return try edit { $0.append(items) } }
        let place = try index(of: neighbour) + 1
        try edit { $0.insert(items, at: place) }
    }

    /// Takes an entry out.
    package func remove(_ listener: any QueueItemListener) throws(SenderError) {
        let id = try entry(of: listener)
        try edit { $0.remove([id]) }
    }

    /// Takes all entries out.
    package func removeAll() throws(SenderError) {
        try edit { queue in queue.remove(Set(queue.ids)) }
    }

    /// Moves an entry so that it is then at `target`, from 0.
    package func move(_ listener: any QueueItemListener, to target: Int) throws(SenderError) {
        try move(from: .id(try entry(of: listener).rawValue), to: target)
    }

    /// Puts another item in the place of an entry.
    package func replace(_ listener: any QueueItemListener, with item: QueueItem) throws(SenderError) {
        try checkNew([item])
        let id = try entry(of: listener)
        try edit { $0.replace(id, with: item) }
    }

    /// Goes to the beginning of an entry.
    package func jump(to listener: any QueueItemListener) throws(SenderError) {
        try jump(to: .id(try entry(of: listener).rawValue))
    }

    private func entry(of listener: any QueueItemListener) throws(SenderError) -> QueueEntryID {
        follow()
        guard let id = queue.ids.first(where: { queue[$0]?.listener === listener }) else { throw .itemNotInQueue }
        return id
    }

    private func index(of listener: any QueueItemListener) throws(SenderError) -> Int {
        guard let index = queue.index(of: try entry(of: listener)) else { throw .itemNotInQueue }
        return index
    }

    private func checkNew(_ items: [QueueItem]) throws(SenderError) {
        var seen = Set(queue.ids.compactMap { queue[$0]?.listener.map(ObjectIdentifier.init) })
        for case let listener? in items.map(\.listener) where !seen.insert(ObjectIdentifier(listener)).inserted {
            throw .itemInQueue
        }
    }
}
