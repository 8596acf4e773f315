import TuttiAssets
import TuttiCore
import TuttiLibrary

/// Entries of the library as lines.
enum LibraryText {
    static func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }

    /// `Artist – Title  (Album)  3:05`, after a `!` where it can't be read now.
    static func line(_ track: LibraryTrack) -> String {
        let name = [track.artist, track.title].compactMap(\.self).joined(separator: " – ")
        let album = track.album.map { "  (\($0))" } ?? ""
        return mark(track.isReachable) + name + album + time(track.duration)
    }

    /// The same in its album: `2.03 Title  3:05`.
    static func lineInAlbum(_ track: LibraryTrack, hasDiscs: Bool) -> String {
        let number = track.number.map { $0 < 10 ? "0\($0)" : "\($0)" } ?? "  "
        let disc = hasDiscs ? "\(track.disc ?? 1)." : ""
        return mark(track.isReachable) + "\(disc)\(number) \(track.title)" + time(track.duration)
    }

    /// `Artist – Album (1980)  12 tracks  41:02`.
    static func line(_ album: LibraryAlbum) -> String {
        let name = [album.artist, album.title].compactMap(\.self).joined(separator: " – ")
        let year = album.year.map { " (\($0))" } ?? ""
        return mark(album.isReachable) + name + year + "  \(tracks(album.trackCount))" + time(album.duration)
    }

    static func line(_ name: LibraryName) -> String { "  \(name.name)  \(tracks(name.trackCount))" }

    private static func mark(_ isReachable: Bool) -> String { isReachable ? "  " : "! " }
    private static func time(_ time: MediaTime?) -> String { time.map { "  \(StatusText.time($0.seconds))" } ?? "" }
}

extension LibraryTrack {
    /// A line in JSON, as docs/json.md has it.
    struct Line: Encodable {
        var kind = "track"
        var id: Int64
        var path: String
        var title: String
        var artist: String?
        var albumArtist: String?
        var album: String?
        var disc: Int?
        var number: Int?
        var year: Int?
        var genre: String?
        var composer: String?
        var work: String?
        var duration: Double?
        var loudness: Double?
        var artwork: Bool
        var added: Int64
        var lastPlayed: Int64?
        var playCount: Int
        var favourite: Bool
        var reachable: Bool

        init(_ track: LibraryTrack) {
            (id, path, title, artist) = (track.id, track.path, track.title, track.artist)
            (albumArtist, album, disc, number) = (track.albumArtist, track.album, track.disc, track.number)
            (year, genre, composer, work) = (track.year, track.genre, track.composer, track.work)
            (duration, loudness) = (track.duration?.seconds, track.loudness?.track?.integrated)
            (artwork, added, lastPlayed) = (track.hasArtwork, track.added, track.lastPlayed)
            (playCount, favourite, reachable) = (track.playCount, track.isFavourite, track.isReachable)
        }
    }
}

extension LibraryAlbum {
    /// A line in JSON, as docs/json.md has it.
    struct Line: Encodable {
        var kind = "album"
        var id: Int64
        var title: String
        var artist: String?
        var compilation: Bool
        var year: Int?
        var tracks: Int
        var discs: Int
        var duration: Double
        var added: Int64
        var lastPlayed: Int64?
        var reachable: Bool

        init(_ album: LibraryAlbum) {
            (id, title, artist, compilation) = (album.id, album.title, album.artist, album.isCompilation)
            (year, tracks, discs) = (album.year, album.trackCount, album.discCount)
            (duration, added, lastPlayed) = (album.duration.seconds, album.added, album.lastPlayed)
            reachable = album.isReachable
        }
    }
}

extension LibraryName {
    /// A line in JSON, as docs/json.md has it.
    struct Line: Encodable {
        var kind: String
        var id: Int64
        var name: String
        var tracks: Int

        init(_ name: LibraryName) {
            (kind, id, self.name, tracks) = ("\(name.kind)", name.id, name.name, name.trackCount)
        }
    }
}

/// A folder in JSON, as docs/json.md has it.
struct RootLine: Encodable {
    var path: String
    var tracks: Int
    var reachable: Bool
    var scanned: Int64?

    init(_ root: LibraryRoot) {
        (path, tracks, reachable, scanned) = (root.path, root.trackCount, root.isReachable, root.scanned)
    }
}
