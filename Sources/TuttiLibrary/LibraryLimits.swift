import TuttiSchema

/// What the library takes; more is left out and reported.
package enum LibraryLimits {
    /// Folders that are added.
    package static let roots = 64
    /// Bytes of a text in UTF-8.
    package static let textBytes = 1_024
    /// Folders inside each other, below a root.
    package static let depth = 64
    /// Files of one root.
    package static let files = 1_000_000
    /// Folders of one root.
    package static let folders = 500_000
    /// Cue sheets of one folder.
    package static let sheets = 64
    /// Bytes of a cue sheet.
    package static let sheetBytes = 1 << 20
    /// Tracks of one cue sheet.
    package static let parts = 999
    /// Notes of clients on one track, and on all.
    package static let (stickers, allStickers) = (64, 1_000_000)
    /// Bytes of such a note, and of its name.
    package static let (stickerBytes, stickerNameBytes) = (4_096, 256)
    /// Entries of a page.
    package static let page = LibrarySpan.longest
    /// Words of a search.
    package static let words = 16
    /// Artists, genres or composers of one track.
    package static let names = 16
}
