/// An artist, genre or composer.
package struct LibraryName: Sendable, Equatable, Identifiable {
    /// What the name is of. The numbers are stored.
    package enum Kind: Int, Sendable, CaseIterable {
        /// Who plays a track.
        case artist = 0
        /// Whom an album is filed under; the artist where no tag says.
        case albumArtist = 1
        case genre = 2
        case composer = 3
    }

    package let id: Int64
    package let kind: Kind
    /// As the first file has it that has the name.
    package let name: String
    /// Tracks that have it.
    package let trackCount: Int
}
