/// A folder whose music is in the library.
package struct LibraryRoot: Sendable, Equatable, Identifiable {
    package let id: Int64
    /// Its path without links, as it was when it was added or moved.
    package let path: String
    /// Whether it could be read when it was looked at last. An unreachable folder keeps its tracks.
    package let isReachable: Bool
    /// When it was scanned last, in seconds since 1970; nil before that.
    package let scanned: Int64?
    /// Tracks in it.
    package let trackCount: Int
}
