/// What went wrong in a scan, of one kind: a line for all of it.
package struct LibraryTrouble: Sendable, Equatable {
    /// Kinds of trouble. None of them ends a scan.
    package enum Kind: Int, Sendable, CaseIterable {
        /// A folder of the library that is not there, or an empty mount point: its tracks are kept.
        case goneRoot
        /// A folder that cannot be read: its tracks are kept.
        case unreadableFolder
        /// A file that cannot be read now; it is tried again with the next scan.
        case unreadableFile
        /// A file that is no music, or damaged; it is tried again when it has changed.
        case damagedFile
        /// A name that is not UTF-8.
        case badName
        /// A folder that was reached twice, as through a link to a folder around it.
        case repeatedFolder
        /// More folders inside each other, or more files, than `LibraryLimits`.
        case tooMany
        /// Tags that are not UTF-8, taken for Windows-1252.
        case guessedText
        /// A cue sheet of which not all can be followed.
        case sheet
        /// A picture larger than `AssetInfo.Artwork.maximumBytes`.
        case hugeArtwork
        /// Changes that could not be stored; the files are read again with the next scan.
        case store
    }

    package let kind: Kind
    /// How many times.
    package internal(set) var count: Int
    /// The first, with its reason where there is one.
    package let example: String
}

extension LibraryTrouble: CustomStringConvertible {
    package var description: String {
        let first = count == 1 ? example : "the first: \(example)"
        return "\(what): \(first)"
    }

    private var what: String {
        switch kind {
        case .goneRoot: some("folder", "of the library not found, its tracks are kept")
        case .unreadableFolder: some("folder", "cannot be read, known tracks are kept")
        case .unreadableFile: some("file", "cannot be read now")
        case .damagedFile: some("file", "left out: no music, or damaged")
        case .badName: some("name", "left out: not UTF-8, rename what it is of")
        case .repeatedFolder: some("folder", "reached a second time and passed over")
        case .tooMany: some("folder", "left out: too deep, or too many files")
        case .guessedText: some("file", "with tags that are not UTF-8, read as Windows-1252")
        case .sheet: some("cue sheet", "of which not all can be followed")
        case .hugeArtwork: some("picture", "left out: larger than 8 MiB")
        case .store: some("change", "could not be stored")
        }
    }

    private func some(_ noun: String, _ what: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s") \(what)" }
}

/// The trouble of a scan, by kind.
struct LibraryTroubles {
    private var all: [LibraryTrouble.Kind: LibraryTrouble] = [:]

    mutating func add(_ kind: LibraryTrouble.Kind, _ example: @autoclosure () -> String, count: Int = 1) {
        if all[kind] == nil {
            all[kind] = LibraryTrouble(kind: kind, count: count, example: example())
        } else {
            all[kind]?.count += count
        }
    }

    mutating func add(_ others: LibraryTroubles) {
        for trouble in others.list { add(trouble.kind, trouble.example, count: trouble.count) }
    }

    /// In the order of the kinds.
    var list: [LibraryTrouble] { LibraryTrouble.Kind.allCases.compactMap { all[$0] } }
}
