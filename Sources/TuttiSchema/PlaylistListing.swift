/// A playlist that is kept by name.
package struct PlaylistListing: Sendable, Equatable, Codable {
    /// What it is called.
    package var name: String
    /// How many tracks it has.
    package var tracks: Int
    /// When it was changed last, in seconds since 1970.
    package var changed: Int64
    /// Its tracks, for those who asked for one playlist.
    package var inputs: [ControlInput]?

    package init(name: String, tracks: Int, changed: Int64, inputs: [ControlInput]? = nil) {
        (self.name, self.tracks, self.changed, self.inputs) = (name, tracks, changed, inputs)
    }
}
