import GRDB
package import TuttiCore

/// What listeners do with tracks.
extension LibraryStore {
    /// Notes that a track was played.
    ///
    /// - Parameter instant: when, in seconds since 1970.
    /// - Throws: `.noSuchTrack`, `.store`.
    package func notePlayed(_ track: Int64, at instant: Int64) throws(LibraryError) {
        try change(track, "lastPlayed = max(?, ifnull(lastPlayed, 0)), playCount = playCount + 1", [instant])
        try write { db in
            try db.execute(
                sql: """
                    UPDATE album SET lastPlayed = max(?, ifnull(lastPlayed, 0))
                    WHERE id = (SELECT albumID FROM track WHERE id = ?)
                    """, arguments: [instant, track])
        }
    }

    /// Makes a track a favourite, or none.
    ///
    /// - Throws: `.noSuchTrack`, `.store`.
    package func setFavourite(_ track: Int64, _ isFavourite: Bool) throws(LibraryError) {
        try change(track, "isFavourite = ?", [isFavourite])
    }

    /// Remembers where a track is to go on; nil for its beginning.
    ///
    /// - Throws: `.noSuchTrack`, `.store`.
    package func setResume(_ track: Int64, at time: MediaTime?) throws(LibraryError) {
        try change(track, "resume = ?", [time.map { max(0, $0.converted(to: 1_000).value) }])
    }

    private func change(_ track: Int64, _ assignment: String, _ arguments: StatementArguments) throws(LibraryError) {
        try write { db in
            try db.execute(sql: "UPDATE track SET \(assignment) WHERE id = ?", arguments: arguments + [track])
            if db.changesCount == 0 { throw LibraryError.noSuchTrack(track) }
        }
    }
}
