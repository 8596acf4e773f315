import GRDB
package import TuttiAssets
import TuttiDatabase

/// How loud tracks are, as it was measured. It is kept with the track for as long as its file stays as it was, also when that
/// is moved.
extension LibraryStore {
    /// Tracks of which nobody knows how loud they are, neither by their tags nor measured, and the others of their albums,
    /// which are measured as a whole: by album.
    ///
    /// - Parameter roots: the ids of folders; nil for all of those that can be read.
    package func unmeasured(in roots: [Int64]? = nil) throws(LibraryError) -> [[Int64]] {
        let isWanted = roots.map { "root.id IN (\($0.map(String.init).joined(separator: ",")))" } ?? "root.isReachable"
        let rows = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    WITH unknown AS (SELECT id, albumID, root FROM track WHERE loudness IS NULL AND NOT isMeasured)
                    SELECT track.id, track.albumID FROM track JOIN root ON root.id = track.root
                    WHERE \(isWanted) AND (track.id IN (SELECT id FROM unknown)
                        OR track.albumID IN (SELECT albumID FROM unknown WHERE albumID IS NOT NULL))
                    ORDER BY track.albumID, track.id
                    """
            ).compactMap { row in (row.value("id") as Int64?).map { ($0, row.value("albumID") as Int64?) } }
        }
        var albums: [[Int64]] = []
        var last: Int64?
        for (id, album) in rows {
            if let album, album == last { albums[albums.count - 1].append(id) } else { albums.append([id]) }
            last = album
        }
        return albums
    }

    /// What plays these tracks.
    package func inputs(of tracks: [Int64]) throws(LibraryError) -> [AssetInput] {
        var inputs: [AssetInput] = []
        for id in tracks { if let track = try track(id) { inputs.append(track.input) } }
        return inputs
    }

    /// Keeps what was measured of an input, if its file is in the library as it was measured.
    package func noteMeasured(_ input: AssetInput, _ file: FileStamp, _ loudness: TrackLoudness) throws(LibraryError) {
        guard let track = try track(of: input, file) else { return }
        try write { db in
            try db.execute(
                sql: """
                    UPDATE track SET measured = ?, measuredPeak = ?, albumMeasured = ?, albumMeasuredPeak = ?,
                        isMeasured = 1
                    WHERE id = ?
                    """,
                arguments: [
                    loudness.track?.integrated, loudness.track?.peak, loudness.album?.integrated, loudness.album?.peak,
                    track.id,
                ])
        }
    }

    /// What was measured of an input, if its file is as it was then; nil when nothing was.
    package func measured(_ input: AssetInput) throws(LibraryError) -> TrackLoudness? {
        guard !input.isRemote, !input.isStandardInput, !input.isLive, let file = FileStamp(of: input.uri),
            let track = try track(of: input, file)
        else { return nil }
        let isMeasured = try read { db in
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT isMeasured FROM track WHERE id = ?"), arguments: [track.id]) ?? false
        }
        return isMeasured ? track.loudness : nil
    }

    /// The track that an input is, if its file has not changed since the library has read it.
    private func track(of input: AssetInput, _ file: FileStamp) throws(LibraryError) -> LibraryTrack? {
        guard let track = try track(atPath: file.path, start: input.partStart), input.isPart == (track.part != nil)
        else {
            return nil
        }
        let isSame = try read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT size, modified FROM file
                        WHERE id = ifnull((SELECT file FROM part WHERE id = :id), :id)
                        """), arguments: ["id": track.id])
            return row?.value("size") == file.size && row?.value("modified") == file.modified
        }
        return isSame ? track : nil
    }
}
