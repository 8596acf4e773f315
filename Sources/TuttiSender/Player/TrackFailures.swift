import TuttiPlayback

/// What of a queue could not be played.
struct TrackFailures {
    /// Entries that could not be played, or not to their end.
    private(set) var entries: Set<QueueEntryID> = []
    /// The first of so many tracks without sound that those after them were not tried.
    var givenUpAt: QueueEntryID?

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    func contains(_ entry: QueueEntryID) -> Bool { entries.contains(entry) }

    mutating func insert(_ entry: QueueEntryID) { entries.insert(entry) }

    /// These and no others.
    mutating func replace(with entries: Set<QueueEntryID>) { self.entries = entries }
}
