import GRDB
import TuttiDatabase

/// Lists, a page at a time.
extension LibraryStore {
    /// The order of albums.
    package enum AlbumOrder: Sendable, CaseIterable {
        case title
        /// By artist, then by year.
        case artist
        /// The latest first.
        case year
        /// The newest in the library first.
        case added
        /// The one played last first; those that were never played are left out.
        case played

        fileprivate var sql: String {
            switch self {
            case .title: "ORDER BY album.sort, album.id"
            case .artist: "ORDER BY album.artistSort, album.year, album.sort"
            case .year: "ORDER BY album.year DESC, album.sort DESC"
            case .added: "ORDER BY album.added DESC, album.id DESC"
            case .played: "WHERE album.lastPlayed IS NOT NULL ORDER BY album.lastPlayed DESC"
            }
        }
    }

    /// Albums.
    package func albums(_ page: LibraryPage, by order: AlbumOrder = .title) throws(LibraryError) -> [LibraryAlbum] {
        try rows(Self.albumColumns + " " + order.sql, [], page, Self.album)
    }

    /// The albums of a year.
    package func albums(ofYear year: Int, _ page: LibraryPage) throws(LibraryError) -> [LibraryAlbum] {
        try rows(Self.albumColumns + " WHERE album.year = ? ORDER BY album.sort", [year], page, Self.album)
    }

    /// The albums with tracks of an artist, genre or composer, the latest first.
    package func albums(of name: Int64, _ page: LibraryPage) throws(LibraryError) -> [LibraryAlbum] {
        try rows(
            Self.albumColumns + """
                 WHERE album.id IN (
                    SELECT track.albumID FROM credit JOIN track ON track.id = credit.track WHERE credit.name = ?)
                ORDER BY album.year DESC, album.sort
                """, [name], page, Self.album)
    }

    /// Artists, album artists, genres or composers, by name.
    package func names(_ kind: LibraryName.Kind, _ page: LibraryPage) throws(LibraryError) -> [LibraryName] {
        try rows(Self.nameColumns + " WHERE kind = ? ORDER BY sort", [kind.rawValue], page, Self.name)
    }

    /// An artist, album artist, genre or composer, however case and accents are written; nil for none.
    package func name(_ kind: LibraryName.Kind, called text: String) throws(LibraryError) -> LibraryName? {
        let key = LibraryText.key(LibraryText.clean(text) ?? "")
        return try rows(
            Self.nameColumns + " WHERE kind = ? AND sort = ?", [kind.rawValue, key], LibraryPage(limit: 1), Self.name
        ).first
    }

    /// Albums of a title, however case and accents are written, by artist.
    package func albums(called title: String) throws(LibraryError) -> [LibraryAlbum] {
        let key = LibraryText.key(LibraryText.clean(title) ?? "")
        return try rows(
            Self.albumColumns + " WHERE album.sort = ? ORDER BY album.artistSort", [key],
            LibraryPage(limit: LibraryLimits.page), Self.album)
    }

    /// Years, the latest first, with how many tracks are of each.
    package func years(_ page: LibraryPage) throws(LibraryError) -> [(year: Int, trackCount: Int)] {
        try rows(
            """
            SELECT year, count(*) AS tracks FROM track WHERE year IS NOT NULL GROUP BY year ORDER BY year DESC
            """, [], page
        ) { row in
            guard let year: Int = row.value("year"), let count: Int = row.value("tracks") else { return nil }
            return (year, count)
        }
    }

    // MARK: Tracks

    /// The tracks of an album in the order of its discs.
    ///
    /// - Throws: `.noSuchAlbum`, `.store`.
    package func tracks(ofAlbum id: Int64) throws(LibraryError) -> [LibraryTrack] {
        let tracks = try rows(
            Self.trackColumns + " WHERE track.albumID = ? ORDER BY track.disc, track.number, folder.path, file.name",
            [id], LibraryPage(limit: LibraryLimits.page), Self.track)
        guard !tracks.isEmpty else { throw .noSuchAlbum(id) }
        return tracks
    }

    /// The tracks of an artist, album artist, genre or composer, in the order in which they came to the library.
    package func tracks(of name: Int64, _ page: LibraryPage) throws(LibraryError) -> [LibraryTrack] {
        let ids = "SELECT track FROM credit WHERE name = ? ORDER BY track LIMIT \(page.limit) OFFSET \(page.offset)"
        return try rows(
            Self.trackColumns + " WHERE track.id IN (\(ids)) ORDER BY track.id", [name],
            LibraryPage(limit: page.limit), Self.track)
    }

    /// All tracks by title.
    package func tracks(_ page: LibraryPage) throws(LibraryError) -> [LibraryTrack] {
        let ids = "SELECT id FROM track ORDER BY sort, id LIMIT \(page.limit) OFFSET \(page.offset)"
        return try rows(
            Self.trackColumns + " WHERE track.id IN (\(ids)) ORDER BY track.sort, track.id", [],
            LibraryPage(limit: page.limit), Self.track)
    }

    /// A track; nil where there is none.
    package func track(_ id: Int64) throws(LibraryError) -> LibraryTrack? {
        try rows(Self.trackColumns + " WHERE track.id = ?", [id], LibraryPage(limit: 1), Self.track).first
    }

    /// The tracks that came to the library last.
    package func recentlyAdded(_ page: LibraryPage) throws(LibraryError) -> [LibraryTrack] {
        try rows(Self.trackColumns + " ORDER BY track.added DESC, track.id DESC", [], page, Self.track)
    }

    /// The tracks that were played last.
    package func recentlyPlayed(_ page: LibraryPage) throws(LibraryError) -> [LibraryTrack] {
        try rows(
            Self.trackColumns + " WHERE track.lastPlayed IS NOT NULL ORDER BY track.lastPlayed DESC", [], page,
            Self.track)
    }

    /// Favourite tracks by title.
    package func favourites(_ page: LibraryPage) throws(LibraryError) -> [LibraryTrack] {
        try rows(Self.trackColumns + " WHERE track.isFavourite ORDER BY track.sort", [], page, Self.track)
    }

    /// Tracks in the library.
    package func trackCount() throws(LibraryError) -> Int {
        try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM track") ?? 0 }
    }

    func rows<Value>(
        _ sql: String, _ arguments: StatementArguments, _ page: LibraryPage, _ value: (Row) -> Value?
    ) throws(LibraryError) -> [Value] {
        try read { db in
            let statement = try db.cachedStatement(sql: sql + " LIMIT ? OFFSET ?")
            return try Row.fetchAll(statement, arguments: arguments + [page.limit, page.offset]).compactMap(value)
        }
    }
}
