import TuttiCore

/// Entries in the order of their starts, in blocks: whatever is put in or taken out, and wherever, moves a block or
/// two, however many entries there are. So nobody who sends small packets in a bad order makes much work.
struct PacketList: Sendable {
    /// Where an entry stands. The place behind the last one has the number of a block that there is not.
    struct Place: Comparable, Sendable {
        fileprivate(set) var block: Int
        fileprivate(set) var offset: Int

        static func < (lhs: Place, rhs: Place) -> Bool { (lhs.block, lhs.offset) < (rhs.block, rhs.offset) }
    }

    /// Some entries, never none.
    struct Block: Sendable {
        fileprivate(set) var entries: [PacketEntry]
        /// What they cover, as somebody has worked it out since they changed last.
        var spans: [TimeRange]?
    }

    /// Entries of a block at most.
    static let blockSize = 512

    private(set) var blocks: [Block] = []
    /// Entries in all blocks. O(1).
    private(set) var count = 0

    /// The first place; `end` where there are no entries.
    var start: Place { Place(block: 0, offset: 0) }

    /// The place behind the last entry.
    var end: Place { Place(block: blocks.count, offset: 0) }

    /// The entry at a place that is not the end.
    subscript(place: Place) -> PacketEntry { blocks[place.block].entries[place.offset] }

    var first: PacketEntry? { blocks.first?.entries.first }
    var last: PacketEntry? { blocks.last?.entries.last }

    /// The place after this one, which is not the end.
    func place(after place: Place) -> Place {
        place.offset + 1 < blocks[place.block].entries.count
            ? Place(block: place.block, offset: place.offset + 1) : Place(block: place.block + 1, offset: 0)
    }

    /// The place before this one; nil before the first.
    func place(before place: Place) -> Place? {
        if place.offset > 0 { return Place(block: place.block, offset: place.offset - 1) }
        guard place.block > 0 else { return nil }
        return Place(block: place.block - 1, offset: blocks[place.block - 1].entries.count - 1)
    }

    /// The first entry that starts at `time` or later. O(log n).
    func place(atOrAfter time: MediaTime) -> Place {
        // In what is appended all the time this is the answer mostly.
        guard let last, last.start >= time else { return end }
        let block = Self.firstIndex(below: blocks.count) { (blocks[$0].entries.last?.start ?? time) >= time }
        let entries = blocks[block].entries
        return Place(block: block, offset: Self.firstIndex(below: entries.count) { entries[$0].start >= time })
    }

    private static func firstIndex(below count: Int, where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: Changes

    /// Puts an entry behind all others. O(1) amortised.
    mutating func append(_ entry: PacketEntry) {
        precondition(last.map { $0.start <= entry.start } ?? true, "entries are in the order of their starts")
        count += 1
        if let last = blocks.indices.last, blocks[last].entries.count < Self.blockSize {
            blocks[last].entries.append(entry)
            blocks[last].spans = nil
        } else {
            blocks.append(Self.block(of: entry))
        }
    }

    /// Puts an entry before the one at `place`. O(√n) moves for any number of entries that memory takes.
    mutating func insert(_ entry: PacketEntry, at place: Place) {
        guard place < end else { return append(entry) }
        var place = place
        if blocks[place.block].entries.count == Self.blockSize {
            if place.offset > 0 {
                place = split(at: place)
            } else if place.block > 0, blocks[place.block - 1].entries.count < Self.blockSize {
                place = Place(block: place.block - 1, offset: blocks[place.block - 1].entries.count)
            } else {
                count += 1
                return blocks.insert(Self.block(of: entry), at: place.block)
            }
        }
        count += 1
        blocks[place.block].entries.insert(entry, at: place.offset)
        blocks[place.block].spans = nil
    }

    /// Takes out the entries in `range`.
    mutating func remove(_ range: Range<Place>) {
        let (low, high) = (range.lowerBound, range.upperBound)
        guard low < high else { return }
        if low.block == high.block {
            removeEntries(low.offset..<high.offset, ofBlock: low.block)
        } else {
            for block in low.block + 1..<high.block { count -= blocks[block].entries.count }
            if high.offset > 0 { removeEntries(0..<high.offset, ofBlock: high.block) }
            removeEntries(low.offset..<blocks[low.block].entries.count, ofBlock: low.block)
            blocks.removeSubrange(low.block + (low.offset == 0 ? 0 : 1)..<high.block)
        }
        join(low.block)
        join(low.block - 1)
        precondition(count >= 0 && blocks.isEmpty == (count == 0), "no block is empty")
    }

    private mutating func removeEntries(_ range: Range<Int>, ofBlock block: Int) {
        count -= range.count
        blocks[block].entries.removeSubrange(range)
        blocks[block].spans = nil
    }

    /// Makes one of a block and the next where both together are small.
    private mutating func join(_ block: Int) {
        guard block >= 0, block + 1 < blocks.count,
            blocks[block].entries.count + blocks[block + 1].entries.count <= Self.blockSize / 2
        else { return }
        blocks[block].entries += blocks[block + 1].entries
        blocks[block].spans = nil
        blocks.remove(at: block + 1)
    }

    /// Makes two of a full block.
    ///
    /// - Returns: where the entry at `place` is then, or the place behind its block's last.
    private mutating func split(at place: Place) -> Place {
        precondition(blocks[place.block].entries.count == Self.blockSize, "only a full block is split")
        let half = Self.blockSize / 2
        let upper = Array(blocks[place.block].entries[half...])
        blocks[place.block].entries.removeSubrange(half...)
        blocks[place.block].spans = nil
        blocks.insert(Block(entries: upper), at: place.block + 1)
        return place.offset <= half ? place : Place(block: place.block + 1, offset: place.offset - half)
    }

    private static func block(of entry: PacketEntry) -> Block {
        var entries: [PacketEntry] = []
        entries.reserveCapacity(blockSize)
        entries.append(entry)
        return Block(entries: entries)
    }

    // MARK: Spans

    /// Keeps what a block covers, until it changes.
    mutating func keep(_ spans: [TimeRange], ofBlock block: Int) {
        precondition(!spans.isEmpty, "a block covers something")
        blocks[block].spans = spans
    }
}
