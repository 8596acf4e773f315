#if FFmpeg
package import TuttiAssets
import GRDB

/// Pictures, which are read from their files when they are asked for.
extension LibraryStore {
    /// The picture of a track: the one in its file, or else one that lies beside it.
    ///
    /// - Returns: nil when there is none that can be shown, or its file cannot be read now.
    /// - Throws: `.noSuchTrack`, `.store`.
    package func artwork(ofTrack id: Int64) throws(LibraryError) -> AssetInfo.Artwork? {
        guard let track = try track(id) else { throw .noSuchTrack(id) }
        return try? AssetInfo.Artwork.find(forFile: track.path)
    }

    /// The picture of an album: that of the first of its tracks that has one.
    ///
    /// - Returns: nil when there is none that can be shown, or its file cannot be read now.
    /// - Throws: `.noSuchAlbum`, `.store`.
    package func artwork(ofAlbum id: Int64) throws(LibraryError) -> AssetInfo.Artwork? {
        let tracks = try tracks(ofAlbum: id)
        guard let track = tracks.first(where: \.hasArtwork) else { return nil }
        return try? AssetInfo.Artwork.find(forFile: track.path)
    }
}
#endif
