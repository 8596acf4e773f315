import TuttiDatabase

/// Why something cannot be done with the library; each a line that says what to do.
package enum LibraryError: Error, Equatable {
    /// The store can be neither read nor written; the text names it.
    case store(String)
    /// There is no such folder, or it cannot be read, and why.
    case folder(String, reason: String)
    /// A folder in or around one that the library has already.
    case overlaps(String, root: String)
    /// A folder that the library does not have.
    case noSuchRoot(String)
    /// More folders than `LibraryLimits.roots`.
    case tooManyRoots
    /// An id that is no track's.
    case noSuchTrack(Int64)
    /// An id that is no album's.
    case noSuchAlbum(Int64)
    /// An id that is no artist's, genre's or composer's.
    case noSuchName(Int64)
    /// An input such as `album:NAME` of which the library has nothing.
    case nothingFound(String)
    /// A client's note that is not kept, and why.
    case badSticker(String)
    /// Another scan is under way.
    case busy
}

extension LibraryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .store(let line): line
        case .folder(let path, let reason): "\(path): cannot be added to the library: \(reason)"
        case .overlaps(let path, let root): "\(path): the library already has \(root); remove that first"
        case .noSuchRoot(let path): "\(path): not in the library; `tutti library list` shows its folders"
        case .tooManyRoots: "the library has \(LibraryLimits.roots) folders; remove one first"
        case .noSuchTrack(let id): "the library has no track \(id)"
        case .noSuchAlbum(let id): "the library has no album \(id)"
        case .noSuchName(let id): "the library has no artist, genre or composer \(id)"
        case .nothingFound(let text): "\(text): the library has nothing like it; try `tutti search`"
        case .badSticker(let reason): reason
        case .busy: "the library is being scanned; try again when that is done"
        }
    }
}
