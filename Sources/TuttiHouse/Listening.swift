package import TuttiLibrary
package import TuttiSchema

/// Follows what one group plays, and says what is to be remembered of it: that a track was heard, and where a long one
/// was left.
package struct Listening: Sendable {
    /// Something to be remembered of a file.
    package enum Note: Sendable, Equatable {
        /// More than half of it was heard, or four minutes.
        case played(LibraryFile)
        /// It is to be resumed there, in seconds; nil for its beginning.
        case place(LibraryFile, Double?)
    }

    /// Seconds of a track that are enough to have heard it.
    package static let enough = 240.0
    /// Seconds that a track is long whose place is remembered: podcasts, chapters of books.
    package static let long = 1_200.0
    /// Seconds after the beginning, and before the end, in which nothing is remembered.
    package static let (beginning, ending) = (30.0, 60.0)
    /// Seconds between two notes of a place while it plays, and what a reading may be late.
    private static let (pause, late) = (15.0, 3.0)

    private struct Track {
        let id: UInt64?
        let file: LibraryFile
        var duration: Double?
        var heard = 0.0
        var position: Double
        var isNoted = false
        var noted: Double?
    }

    private var track: Track?

    package init() {}

    /// Takes how the group stands, which is to come once a second while it plays.
    package mutating func take(_ status: PlayerStatus) -> [Note] {
        guard let item = status.item, item.uri.hasPrefix("/"), status.position.isFinite else { return end() }
        var notes: [Note] = []
        let file = LibraryFile(path: item.uri, start: item.start)
        if track?.id != item.id || track?.file != file {
            notes += end()
            track = Track(id: item.id, file: file, duration: item.duration, position: status.position)
        }
        guard var now = track else { return notes }
        now.duration = item.duration ?? now.duration
        let step = status.position - now.position
        if status.state == .playing, step > 0 { now.heard += min(step, Self.late) }
        now.position = status.position
        if !now.isNoted, now.heard >= min(Self.enough, (now.duration ?? .infinity) / 2) {
            now.isNoted = true
            notes.append(.played(now.file))
        }
        let isDue = now.noted.map { abs($0 - now.position) >= Self.pause } ?? (now.heard >= Self.pause)
        if isDue || status.state == .paused && now.heard > 0 && now.noted != now.position {
            notes += Self.place(&now)
        }
        track = now
        return notes
    }

    /// The group has ended, or plays nothing that could be remembered.
    package mutating func end() -> [Note] {
        guard var last = track else { return [] }
        track = nil
        return last.heard > 0 ? Self.place(&last) : []
    }

    private static func place(_ track: inout Track) -> [Note] {
        guard let duration = track.duration, duration >= long else { return [] }
        track.noted = track.position
        let isInside = track.position >= beginning && track.position <= duration - ending
        return [.place(track.file, isInside ? track.position : nil)]
    }
}
