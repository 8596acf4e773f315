/// One line of a playlist.
struct PlaylistEntry: Equatable {
    /// A path, in general relative to the playlist, or an address.
    var uri: String
    /// What the list calls it.
    var title: String?
}
