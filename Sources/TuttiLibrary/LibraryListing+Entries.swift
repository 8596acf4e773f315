import TuttiAssets
import TuttiCore
package import TuttiSchema

/// Entries of the library as the command line, the control socket and HTTP have them.
extension LibraryListing.Track {
    package init(_ track: LibraryTrack) {
        self.init(id: track.id, path: track.path, title: track.title)
        start = track.part.map { [$0.begin, Int64(LibraryTrack.Part.timescale)] }
        end = track.part?.finish.map { [$0, Int64(LibraryTrack.Part.timescale)] }
        (artist, albumArtist, album, albumId) = (track.artist, track.albumArtist, track.album, track.albumID)
        (disc, number, year) = (track.disc, track.number, track.year)
        (genre, composer, work) = (track.genre, track.composer, track.work)
        (duration, loudness) = (track.duration?.seconds, track.loudness?.track?.integrated)
        (artwork, added, lastPlayed) = (track.hasArtwork, track.added, track.lastPlayed)
        (playCount, favourite, reachable) = (track.playCount, track.isFavourite, track.isReachable)
        resume = track.resume?.seconds
    }
}

extension LibraryListing.Album {
    package init(_ album: LibraryAlbum) {
        self.init(id: album.id, title: album.title)
        (artist, compilation, year) = (album.artist, album.isCompilation, album.year)
        (tracks, discs, duration) = (album.trackCount, album.discCount, album.duration.seconds)
        (added, lastPlayed, reachable) = (album.added, album.lastPlayed, album.isReachable)
    }
}

extension LibraryListing.Name {
    package init(_ name: LibraryName) {
        self.init(kind: "\(name.kind)", id: name.id, name: name.name, tracks: name.trackCount)
    }
}

extension LibraryListing.Root {
    package init(_ root: LibraryRoot) {
        self.init(path: root.path, tracks: root.trackCount, reachable: root.isReachable, scanned: root.scanned)
    }
}

extension LibraryOrder {
    /// The same for the store.
    package var order: LibraryStore.AlbumOrder {
        switch self {
        case .title: .title
        case .artist: .artist
        case .year: .year
        case .added: .added
        case .played: .played
        }
    }
}
