package import TuttiCore

/// The items to play, in order, and which of them is the current one. Made to be edited while it plays: entries keep
/// their ids, and what follows an entry is looked up when it is needed.
///
/// An edit that takes the current entry away makes what follows it the current one. Ids and order lie apart from the
/// items, so that an edit of ten thousand entries moves numbers only.
package struct PlayQueue<Item: Sendable>: Sendable {
    /// The entries in the order of play.
    package internal(set) var ids: [QueueEntryID] = []
    /// The entry that plays, or will play first; nil when nothing is left to play.
    package internal(set) var current: QueueEntryID?
    /// What follows the end.
    package var repeatMode = RepeatMode.off
    /// Whether an entry leaves the queue once it has played.
    package var consumes = false

    var items: [QueueEntryID: Item] = [:]
    /// The order that `unshuffle` restores; nil while the queue is not shuffled.
    package internal(set) var listOrder: [QueueEntryID]?
    /// The id that the next entry will have.
    package private(set) var nextID: UInt64 = 0

    /// A queue of `items`, the first of which is the current one.
    package init(_ items: [Item] = []) {
        append(items)
    }

    /// A queue as it was before, by what was known of it.
    ///
    /// - Returns: nil when the orders are not of the same entries, each once, or `nextID` or `current` do not go with
    ///   them.
    package init?(
        restoring items: [QueueEntryID: Item], ids: [QueueEntryID], listOrder: [QueueEntryID]?, current: QueueEntryID?,
        nextID: UInt64
    ) {
        let known = Set(ids)
        guard known.count == ids.count, ids.allSatisfy({ items[$0] != nil && $0.rawValue < nextID }),
            listOrder.map({ $0.count == ids.count && Set($0) == known }) ?? true,
            current.map(known.contains) ?? true
        else { return nil }
        self.items = items.count == ids.count ? items : items.filter { known.contains($0.key) }
        (self.ids, self.listOrder, self.current, self.nextID) = (ids, listOrder, current, nextID)
    }

    /// How many entries there are.
    package var count: Int { ids.count }
    /// Whether there is no entry.
    package var isEmpty: Bool { ids.isEmpty }
    /// Whether the order is a shuffled one.
    package var isShuffled: Bool { listOrder != nil }
    /// Where the current entry stands.
    package var currentIndex: Int? { current.flatMap { index(of: $0) } }

    /// The item of an entry; nil for one that is not in the queue. Setting does nothing there, nor does setting nil.
    package subscript(id: QueueEntryID) -> Item? {
        get { items[id] }
        set { if let newValue, items[id] != nil { items[id] = newValue } }
    }

    /// Whether the entry is in the queue.
    package func contains(_ id: QueueEntryID) -> Bool { items[id] != nil }

    /// Where an entry stands, from 0; nil when it is not in the queue. O(n).
    package func index(of id: QueueEntryID) -> Int? { contains(id) ? ids.firstIndex(of: id) : nil }

    // MARK: What comes after

    /// What plays after an entry on its own; nil at the end of the queue, and where each entry is the last.
    ///
    /// With `consumes` each entry comes once more at most: a round that repeats ends before the current entry, which
    /// will have left by then.
    package func successor(of id: QueueEntryID) -> QueueEntryID? {
        switch repeatMode {
        case .one where contains(id): id
        case .single: nil
        case .off, .all, .one: following(id)
        }
    }

    /// The entry behind another, which a person skips to; nil behind the last one.
    package func following(_ id: QueueEntryID) -> QueueEntryID? {
        guard let index = index(of: id) else { return nil }
        if index + 1 < ids.count { return consumed(ids[index + 1]) }
        return repeatMode == .all ? ids.first.flatMap(consumed) : nil
    }

    /// The entry before another; nil before the first one unless everything is repeated.
    package func preceding(_ id: QueueEntryID) -> QueueEntryID? {
        guard let index = index(of: id) else { return nil }
        if index > 0 { return ids[index - 1] }
        return repeatMode == .all && !consumes && count > 1 ? ids.last : nil
    }

    /// The entry, unless it will have been consumed when its turn comes.
    private func consumed(_ id: QueueEntryID) -> QueueEntryID? {
        consumes && id == current ? nil : id
    }

    // MARK: Playing

    /// The next entry plays, on its own or because somebody asked; with `consumes` the one it came from
    /// leaves. Nothing happens for an entry that is not in the queue.
    package mutating func jump(to id: QueueEntryID) {
        guard contains(id) else { return }
        let left = current
        current = id
        if consumes, let left, left != id { remove([left]) }
    }

    /// Playback has gone back to an entry; none leaves.
    package mutating func goBack(to id: QueueEntryID) {
        if contains(id) { current = id }
    }

    /// Gives items ids of their own.
    mutating func enrol(_ newItems: [Item]) -> [QueueEntryID] {
        precondition(items.count == ids.count, "each entry has an item")
        items.reserveCapacity(items.count + newItems.count)
        return newItems.map { item in
            let id = QueueEntryID(rawValue: nextID)
            precondition(items[id] == nil, "an id is new")
            nextID += 1
            items[id] = item
            return id
        }
    }
}
