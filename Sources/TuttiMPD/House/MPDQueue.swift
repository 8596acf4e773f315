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
        return true
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
