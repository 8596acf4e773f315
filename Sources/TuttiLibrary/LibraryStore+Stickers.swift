import GRDB
import TuttiDatabase
import TuttiSchema

/// What clients note of tracks: a rating, how often a song was skipped. Nothing here reads it. It goes with the track.
extension LibraryStore {
    /// Notes of a track, or of all tracks under a name.
    func stickers(
        _ place: ControlRequest.StickerPlace, _ listing: inout LibraryListing
    ) throws(LibraryError) {
        switch place {
        case .track(let id):
            guard try track(id) != nil else { throw .noSuchTrack(id) }
            listing.stickers = try rows(
                "SELECT * FROM sticker WHERE track = ? ORDER BY name", [id], LibraryPage(limit: LibraryLimits.page),
                Self.sticker)
        case .named(let name, let last, let limit):
            let page = LibraryPage(limit: limit)
            let stickers = try rows(
                "SELECT * FROM sticker WHERE name = ? AND track > ? ORDER BY track", [name, last], page, Self.sticker)
            (listing.stickers, listing.more) = (stickers, stickers.count == page.limit)
        }
    }

    /// Notes something; without a value, takes the note away, without a name all of the track's.
    func setSticker(of track: Int64, _ name: String?, to value: String?) throws(LibraryError) {
        guard try self.track(track) != nil else { throw .noSuchTrack(track) }
        guard let name else {
            return try write { db in try db.execute(sql: "DELETE FROM sticker WHERE track = ?", arguments: [track]) }
        }
        guard let value else {
            return try write { db in
                try db.execute(sql: "DELETE FROM sticker WHERE track = ? AND name = ?", arguments: [track, name])
                if db.changesCount == 0 { throw LibraryError.badSticker("no such sticker") }
            }
        }
        guard (1...LibraryLimits.stickerNameBytes).contains(name.utf8.count),
            value.utf8.count <= LibraryLimits.stickerBytes
        else {
            throw .badSticker(
                "a sticker has at most \(LibraryLimits.stickerBytes) bytes, and its name "
                    + "\(LibraryLimits.stickerNameBytes)")
        }
        try write { db in
            let isThere = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM sticker WHERE track = ? AND name = ?", arguments: [track, name])
            if isThere == nil {
                let own =
                    try Int.fetchOne(
                        db, sql: "SELECT count(*) FROM sticker WHERE track = ?", arguments: [track]) ?? 0
                guard own < LibraryLimits.stickers else {
                    throw LibraryError.badSticker("a track has at most \(LibraryLimits.stickers) stickers")
                }
                let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM sticker") ?? 0
                guard all < LibraryLimits.allStickers else {
                    throw LibraryError.badSticker("there are \(LibraryLimits.allStickers) stickers; delete some first")
                }
            }
            try db.execute(sql: "INSERT OR REPLACE INTO sticker VALUES (?, ?, ?)", arguments: [track, name, value])
        }
    }

    private static func sticker(_ row: Row) -> LibraryListing.Sticker? {
        guard let id: Int64 = row.value("track"), let name: String = row.value("name"),
            let value: String = row.value("value")
        else { return nil }
        return LibraryListing.Sticker(id: id, name: name, value: value)
    }
}
