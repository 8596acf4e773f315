import GRDB
import TuttiDatabase

/// What the tracks of an album say of it.
enum AlbumSummary {
    /// Whoever plays on an album of many.
    static let variousArtists = "Various Artists"

    /// Brings an album in line with its tracks; one without any is removed.
    static func update(_ id: Int64, _ db: Database) throws {
        let all = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) AS tracks, count(DISTINCT disc) AS discs, sum(duration) AS duration,
                        max(year) AS year, max(track.hasArtwork) AS artwork, max(added) AS added,
                        max(lastPlayed) AS played, max(albumArtist) AS albumArtist,
                        (SELECT key FROM album WHERE id = :id) AS key
                    FROM track WHERE albumID = :id
                    """), arguments: ["id": id])
        guard let all, let count: Int = all.value("tracks"), count > 0 else {
            try db.cachedStatement(sql: "DELETE FROM album WHERE id = ?").execute(arguments: [id])
            return
        }
        let owner: String? = all.value("albumArtist")
        let isTagged = AlbumKey.isCompilation(all.value("key") ?? "")
        let artist = isTagged ? owner ?? variousArtists : try owner ?? main(of: id, tracks: count, db)
        let played: Int64? = all.value("played")
        try db.cachedStatement(
            sql: """
                UPDATE album SET artist = ?, isCompilation = ?, artistSort = ?, year = ?, trackCount = ?, discCount = ?,
                    duration = ?, hasArtwork = ?, added = ?, lastPlayed = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            artist, isTagged || (owner == nil && artist == variousArtists), LibraryText.key(artist ?? ""),
            all.value("year") as Int?, count, max(1, all.value("discs") ?? 1), all.value("duration") as Int64? ?? 0,
            all.value("artwork") as Bool? ?? false, all.value("added") as Int64? ?? 0, played, id,
        ])
    }

    /// The artist of more than half of the tracks, else various ones; nil where no track has one.
    private static func main(of id: Int64, tracks: Int, _ db: Database) throws -> String? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT artist, count(*) AS tracks FROM track WHERE albumID = ? AND artist IS NOT NULL
                    GROUP BY artist COLLATE NOCASE ORDER BY count(*) DESC LIMIT 1
                    """), arguments: [id])
        guard let row, let artist: String = row.value("artist"), let count: Int = row.value("tracks") else {
            return nil
        }
        return count * 2 > tracks || tracks == 1 ? artist : variousArtists
    }
}
