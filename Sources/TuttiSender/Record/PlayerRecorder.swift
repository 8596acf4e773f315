import TuttiPlayback
import TuttiProduction

/// Tells a journal what of a player is not what it was when it was told last.
struct PlayerRecorder {
    private let journal: any PlayerJournal
    private var state: PlayerRecord.State?
    private var ids: [QueueEntryID] = []
    private var unshuffled: [QueueEntryID]?
    /// Entries of this number and later are not stored yet.
    private var nextEntry: UInt64 = 0
    /// Entries of which something is known now that was not.
    private var touched: Set<QueueEntryID> = []

    /// - Parameters:
    ///   - record: what the journal has already; nil for nothing that counts.
    ///   - queue: the queue of that record.
    init(_ journal: any PlayerJournal, having record: PlayerRecord?, of queue: PlayQueue<QueueItem>) {
        self.journal = journal
        guard let record else { return }
        state = record.state
        (ids, unshuffled, nextEntry) = (queue.ids, queue.listOrder, queue.nextID)
    }

    /// Something has become known of an entry.
    mutating func touch(_ id: QueueEntryID) { touched.insert(id) }

    /// Has stored what has changed; returns once it is. O(1) while the queue's order is what it was, else O(n) moves of
    /// numbers.
    mutating func record(_ state: PlayerRecord.State, _ queue: PlayQueue<QueueItem>) {
        precondition(queue.nextID >= nextEntry, "the id of an entry is used twice")
        var change = PlayerChange()
        change.isWhole = self.state == nil
        if state != self.state { change.state = state }
        if change.isWhole || queue.ids != ids || queue.listOrder != unshuffled {
            change.order = PlayerRecord.Order(
                ids: queue.ids.map(\.rawValue), unshuffled: queue.listOrder?.map(\.rawValue))
            change.removed = ids.filter { !queue.contains($0) }.map(\.rawValue)
            for id in queue.ids where id.rawValue >= nextEntry { touched.insert(id) }
        }
        change.entries = touched.compactMap { id in queue[id].map { PlayerRecord.Entry(id, $0) } }
        (touched, nextEntry) = ([], queue.nextID)
        guard !change.isEmpty else { return }
        (self.state, ids, unshuffled) = (state, queue.ids, queue.listOrder)
        journal.store(change)
    }
}

extension PlayerRecord.Entry {
    init(_ id: QueueEntryID, _ item: QueueItem) {
        self.init(id: id.rawValue, input: item.input, info: item.info, failure: item.failure)
    }
}
