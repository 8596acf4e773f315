import TuttiCore

extension PlayQueue {
    /// Adds items at the end.
    ///
    /// - Returns: their ids.
    @discardableResult
    package mutating func append(_ newItems: [Item]) -> [QueueEntryID] {
        insert(newItems, at: count)
    }

    /// Adds items behind the current entry, in their order; at the beginning when there is none.
    ///
    /// - Returns: their ids.
    @discardableResult
    package mutating func insertNext(_ newItems: [Item]) -> [QueueEntryID] {
        insert(newItems, at: currentIndex.map { $0 + 1 } ?? 0)
    }

    /// Adds items, the first of which is then at `index`, held inside 0 … `count`. In the order that `unshuffle`
    /// restores they stand behind the same entry.
    ///
    /// - Returns: their ids.
    @discardableResult
    package mutating func insert(_ newItems: [Item], at index: Int) -> [QueueEntryID] {
        let place = min(max(index, 0), count)
        let added = enrol(newItems)
        if let listOrder {
            let neighbour = place > 0 && place < count ? listOrder.firstIndex(of: ids[place - 1]) : nil
            let listPlace = place == count ? listOrder.count : neighbour.map { $0 + 1 } ?? 0
            self.listOrder?.insert(contentsOf: added, at: listPlace)
        }
        ids.insert(contentsOf: added, at: place)
        if current == nil { current = added.first }
        return added
    }

    /// Takes entries out. When the current one is among them, the next that stays is the current one: nil behind the
    /// last, or the first when everything is repeated.
    package mutating func remove(_ victims: Set<QueueEntryID>) {
        if let current, victims.contains(current), let index = index(of: current) {
            let later = ids[(index + 1)...].first { !victims.contains($0) }
            let earlier = repeatMode == .all ? ids[..<index].first { !victims.contains($0) } : nil
            self.current = later ?? earlier
        }
        for id in victims { items[id] = nil }
        ids.removeAll { victims.contains($0) }
        listOrder?.removeAll { victims.contains($0) }
    }

    /// Moves the entry at `index` so that it is then at `target`; the order that `unshuffle` restores stays.
    ///
    /// - Returns: false when one of them is not in 0 ..< `count`.
    @discardableResult
    package mutating func move(from index: Int, to target: Int) -> Bool {
        guard ids.indices.contains(index), ids.indices.contains(target) else { return false }
        ids.insert(ids.remove(at: index), at: target)
        return true
    }

    /// Puts another item in the place of an entry. It is another entry, which is the current one if that one was.
    ///
    /// - Returns: its id; nil when the entry is not in the queue.
    @discardableResult
    package mutating func replace(_ id: QueueEntryID, with item: Item) -> QueueEntryID? {
        guard let index = index(of: id), let new = enrol([item]).first else { return nil }
        items[id] = nil
        ids[index] = new
        if let place = listOrder?.firstIndex(of: id) { listOrder?[place] = new }
        if current == id { current = new }
        return new
    }

    /// Takes everything out but the current entry.
    package mutating func clear() {
        remove(Set(ids.filter { $0 != current }))
    }

    // MARK: Order

    /// Puts the entries in an order that follows from `seed`: the current one first, all others behind it. Later edits
    /// leave that order as it is.
    package mutating func shuffle(seed: UInt64) {
        listOrder = listOrder ?? ids
        var generator = SplitMix64(seed: seed)
        let others = ids.filter { $0 != current }.shuffled(using: &generator)
        ids = (current.map { [$0] } ?? []) + others
    }

    /// Restores the order from before `shuffle`, with what was added and removed since.
    package mutating func unshuffle() {
        guard let listOrder else { return }
        ids = listOrder
        self.listOrder = nil
    }
}
