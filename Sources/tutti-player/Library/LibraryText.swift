import TuttiCommandLine
import TuttiSchema

/// Entries of the library as lines.
enum LibraryText {
    static func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }

    /// `Artist – Title  (Album)  3:05`, after a `!` where it can't be read now.
    static func line(_ track: LibraryListing.Track) -> String {
        let name = [track.artist, track.title].compactMap(\.self).joined(separator: " – ")
        let album = track.album.map { "  (\($0))" } ?? ""
        return mark(track.reachable) + name + album + time(track.duration)
    }

    /// The same in its album: `2.03 Title  3:05`.
    static func lineInAlbum(_ track: LibraryListing.Track, hasDiscs: Bool) -> String {
        let number = track.number.map { $0 < 10 ? "0\($0)" : "\($0)" } ?? "  "
        let disc = hasDiscs ? "\(track.disc ?? 1)." : ""
        return mark(track.reachable) + "\(disc)\(number) \(track.title)" + time(track.duration)
    }

    /// `Artist – Album (1980)  12 tracks  41:02`.
    static func line(_ album: LibraryListing.Album) -> String {
        let name = [album.artist, album.title].compactMap(\.self).joined(separator: " – ")
        let year = album.year.map { " (\($0))" } ?? ""
        return mark(album.reachable) + name + year + "  \(tracks(album.tracks))" + time(album.duration)
    }

    static func line(_ name: LibraryListing.Name) -> String { "  \(name.name)  \(tracks(name.tracks))" }

    private static func mark(_ isReachable: Bool) -> String { isReachable ? "  " : "! " }
    private static func time(_ time: Double?) -> String { time.map { "  \(StatusText.time($0))" } ?? "" }
}
