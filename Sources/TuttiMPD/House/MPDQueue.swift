package import TuttiSchema

/// A partition's queue as clients know it: entries with ids, and for each place the version in which it got what is
/// there now.
package struct MPDQueue: Sendable, Equatable {
    /// In the order of play.
    package private(set) var entries: [QueueListing.Entry] = []
    /// For each place.
    private var versions: [UInt32] = []
    /// The version of the whole: that of its last change.
    package private(set) var version: UInt32 = 1
    /// What clients have given entries, by their numbers: what is not 0. The service knows nothing of it.
    package private(set) var priorities: [UInt64: UInt8] = [:]

    package init() {}

    /// Song ids count from 1, as MPD's do: some clients take 0 for none.
    package static func songID(of id: UInt64) -> UInt64 { id &+ 1 }

    /// The service's number of a song id; nil for what is none.
    package static func entryID(of song: UInt64) -> UInt64? { song > 0 ? song - 1 : nil }

    /// Takes the queue as it is now.
    ///
    /// - Parameter next: a version that was not used yet.
    /// - Returns: whether anything is different.
    package mutating func take(_ new: [QueueListing.Entry], version next: UInt32) -> Bool {
        guard new != entries else { return false }
        versions = new.indices.map { index in
            index < entries.count && entries[index] == new[index] ? versions[index] : next
        }
        (entries, version) = (new, next)
        if !priorities.isEmpty {
            let there = Set(new.map(\.id))
            priorities = priorities.filter { there.contains($0.key) }
        }
        return true
    }

    /// Gives the entries of some places a priority.
    ///
    /// - Parameter next: a version that was not used yet.
    /// - Returns: whether anything is different.
    package mutating func prioritize(_ places: [Int], _ priority: UInt8, version next: UInt32) -> Bool {
        let changed = places.filter {
            entries.indices.contains($0) && priorities[entries[$0].id, default: 0] != priority
        }
        for place in changed {
            priorities[entries[place].id] = priority == 0 ? nil : priority
            versions[place] = next
        }
        if !changed.isEmpty { version = next }
        return !changed.isEmpty
    }

    /// The order in which a shuffled queue is to be played after the current entry: the higher priority first, and
    /// otherwise as it is. What has played stays where it is, but for entries that come once more.
    ///
    /// - Parameters:
    ///   - current: the place of the current entry; nil while there is none.
    ///   - again: entries that are to play though they stand before that one.
    /// - Returns: the entries that have a priority, in their order; those are to follow the current one.
    package func prioritized(after current: Int?, again: Set<UInt64> = []) -> [UInt64] {
        let here = current ?? -1
        let coming = entries.enumerated().filter { place, entry in
            priorities[entry.id] != nil && (place > here || place < here && again.contains(entry.id))
        }
        return coming.sorted { one, other in
            let (left, right) = (priorities[one.element.id] ?? 0, priorities[other.element.id] ?? 0)
            return left == right ? one.offset < other.offset : left > right
        }.map(\.element.id)
    }

    /// Counts every place as changed.
    package mutating func touch(version next: UInt32) {
        versions = Array(repeating: next, count: entries.count)
        version = next
    }

    /// The places that have changed since a version; all of them for one that there never was.
    package func changes(since old: UInt32) -> [Int] {
        entries.indices.filter { old > version || versions[$0] > old }
    }

    /// Where an entry stands.
    package func index(ofSong song: UInt64) -> Int? {
        guard let id = Self.entryID(of: song) else { return nil }
        return entries.firstIndex { $0.id == id }
    }
}
