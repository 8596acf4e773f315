import GRDB
import TuttiAssets
import TuttiCore
import TuttiDatabase

/// Rows as values; those that cannot be understood are left out.
extension LibraryStore {
    static let trackColumns = """
        SELECT track.*, root.path AS rootPath, root.isReachable, folder.path AS folderPath, file.name AS fileName,
            folder.hasArtwork AS folderArtwork, part.begin, part.finish
        FROM track LEFT JOIN part ON part.id = track.id JOIN file ON file.id = ifnull(part.file, track.id) JOIN folder ON folder.id = file.folder
            JOIN root ON root.id = folder.root
        """
    static let albumColumns = "SELECT album.*, root.isReachable FROM album JOIN root ON root.id = album.root"
    static let nameColumns = """
        SELECT name.*, (SELECT count(*) FROM credit WHERE credit.name = name.id) AS tracks FROM name
        """

    static func track(_ row: Row) -> LibraryTrack? {
        guard let id: Int64 = row.value("id"), let title: String = row.value("title"),
            let root: String = row.value("rootPath"), let folder: String = row.value("folderPath"),
            let name: String = row.value("fileName")
        else { return nil }
        return LibraryTrack(
            id: id, path: [root, folder, name].joinedPath,
            part: (row.value("begin") as Int64?).map { LibraryTrack.Part(begin: $0, finish: row.value("finish")) },
            title: title,
            artist: row.value("artist"), albumArtist: row.value("albumArtist"), album: row.value("album"),
            albumID: row.value("albumID"), disc: row.value("disc"), number: row.value("number"),
            year: row.value("year"), genre: row.value("genre"), composer: row.value("composer"),
            work: row.value("work"), duration: time(row.value("duration")),
            hasArtwork: (row.value("hasArtwork") ?? false) || (row.value("folderArtwork") ?? false),
            loudness: loudness(row), added: row.value("added") ?? 0, lastPlayed: row.value("lastPlayed"),
            playCount: row.value("playCount") ?? 0, isFavourite: row.value("isFavourite") ?? false,
            resume: time(row.value("resume")), isReachable: row.value("isReachable") ?? false)
    }

    static func album(_ row: Row) -> LibraryAlbum? {
        guard let id: Int64 = row.value("id"), let title: String = row.value("title") else { return nil }
        return LibraryAlbum(
            id: id, title: title, artist: row.value("artist"), isCompilation: row.value("isCompilation") ?? false,
            year: row.value("year"), trackCount: row.value("trackCount") ?? 0, discCount: row.value("discCount") ?? 1,
            duration: time(row.value("duration")) ?? .zero, hasArtwork: row.value("hasArtwork") ?? false,
            added: row.value("added") ?? 0, lastPlayed: row.value("lastPlayed"),
            isReachable: row.value("isReachable") ?? false)
    }

    static func name(_ row: Row) -> LibraryName? {
        guard let id: Int64 = row.value("id"), let name: String = row.value("name"),
            let kind = (row.value("kind") as Int?).flatMap(LibraryName.Kind.init)
        else { return nil }
        return LibraryName(id: id, kind: kind, name: name, trackCount: row.value("tracks") ?? 0)
    }

    private static func time(_ milliseconds: Int64?) -> MediaTime? {
        milliseconds.flatMap { $0 >= 0 ? MediaTime(value: $0, timescale: 1_000) : nil }
    }

    private static func loudness(_ row: Row) -> TrackLoudness? {
        func measure(_ integrated: String, _ peak: String) -> TrackLoudness.Measure? {
            (row.value(integrated) as Double?).map { TrackLoudness.Measure(integrated: $0, peak: row.value(peak)) }
        }
        let isMeasured = (row.value("measured") as Double?) != nil
        let loudness =
            isMeasured
            ? TrackLoudness(
                track: measure("measured", "measuredPeak"), album: measure("albumMeasured", "albumMeasuredPeak"))
            : TrackLoudness(track: measure("loudness", "peak"), album: measure("albumLoudness", "albumPeak"))
        return loudness.isPlausible && loudness != TrackLoudness() ? loudness : nil
    }
}

extension [String] {
    /// Names as a path; those that are empty are left out but for the first, which is the root's.
    var joinedPath: String {
        ([self[0] == "/" ? "" : self[0]] + dropFirst().filter { !$0.isEmpty }).joined(separator: "/")
    }
}
