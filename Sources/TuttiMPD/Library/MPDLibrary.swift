package import TuttiSchema

/// The music that a service knows, as clients browse it. Paths are relative to its root, without a `/` at either end;
/// the root itself is the empty path.
package protocol MPDLibrary: Sendable {
    /// What there is in a folder; nil if there is no such folder.
    func entries(in folder: String) -> [MPDLibraryEntry]?
    /// All songs for which a filter is true, in the library's order. There may be many: what answers describe of them is
    /// made of each when it is written.
    func songs(matching filter: MPDFilter) -> [any MPDTagged]
    /// The song of a path; nil for none.
    func song(at path: String) -> MPDSong?
    /// The song of what the service plays, from a place in its file on where it is a part of that; nil for what is not in
    /// the library.
    func song(playing uri: String, start: Double?) -> MPDSong?
    /// What the service is told to play for a song.
    func input(for song: MPDSong) -> ControlInput
    /// The names of playlists that are kept, with the time of their last change in seconds since 1970.
    func playlists() -> [(name: String, modified: Int64)]
    /// The tracks of a playlist; nil for none of that name.
    func inputs(ofPlaylist name: String) -> [ControlInput]?
    /// The song of a playlist's track.
    func song(for input: ControlInput) -> MPDSong
    /// What clients have noted of a song, by names.
    ///
    /// - Throws: that there is no such song.
    func stickers(of path: String) throws(MPDFault) -> [(name: String, value: String)]
    /// Notes something of a song; without a value, takes the note away, without a name all of them.
    func setSticker(of path: String, _ name: String?, to value: String?) throws(MPDFault)
    /// The songs below a folder of which something is noted under a name.
    func stickers(named name: String, in folder: String) throws(MPDFault) -> [(path: String, value: String)]
    /// How much there is.
    func statistics() -> MPDLibraryStatistics
    /// Begins to look for changes.
    ///
    /// - Returns: the number of the job; nil where there is nothing to look at.
    func update(_ path: String, rescans: Bool) -> Int?
}

/// Something in a folder of a library.
package enum MPDLibraryEntry: Sendable, Equatable {
    /// A folder, by its path from the root.
    case folder(String, modified: Int64?)
    case song(MPDSong)
    /// A playlist, by its path.
    case playlist(String, modified: Int64?)
}

/// How much there is in a library.
package struct MPDLibraryStatistics: Sendable, Equatable {
    package var artists = 0
    package var albums = 0
    package var songs = 0
    /// Seconds.
    package var duration = 0.0
    /// Seconds since 1970 UTC of the last change; nil for none.
    package var updated: Int64?
    /// The job that is under way.
    package var job: Int?

    package init() {}
}

/// A library without anything in it.
package struct EmptyMPDLibrary: MPDLibrary {
    package init() {}

    package func entries(in folder: String) -> [MPDLibraryEntry]? { folder.isEmpty ? [] : nil }
    package func songs(matching filter: MPDFilter) -> [any MPDTagged] { [] }
    package func song(at path: String) -> MPDSong? { nil }
    package func song(playing uri: String, start: Double?) -> MPDSong? { nil }
    package func stickers(of path: String) throws(MPDFault) -> [(name: String, value: String)] { throw .noSuchSong }
    package func setSticker(of path: String, _ name: String?, to value: String?) throws(MPDFault) { throw .noSuchSong }
    package func stickers(named name: String, in folder: String) throws(MPDFault) -> [(path: String, value: String)] {
        []
    }
    package func input(for song: MPDSong) -> ControlInput { ControlInput(uri: song.uri) }
    package func playlists() -> [(name: String, modified: Int64)] { [] }
    package func inputs(ofPlaylist name: String) -> [ControlInput]? { nil }
    package func song(for input: ControlInput) -> MPDSong { MPDSong(uri: input.uri) }
    package func statistics() -> MPDLibraryStatistics { MPDLibraryStatistics() }
    package func update(_ path: String, rescans: Bool) -> Int? { nil }
}
