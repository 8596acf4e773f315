import TuttiCore

/// Which songs are meant.
package indirect enum MPDFilter: Sendable, Equatable {
    /// How a text is compared.
    package enum Comparison: Sendable, Hashable {
        case equal
        case contains
        case startsWith
    }

    /// What is compared.
    package enum Field: Sendable, Hashable {
        case tag(MPDTag)
        /// Any tag.
        case any
        /// The song's name in the library.
        case file
    }

    /// All of them are true; of none, it always is.
    case all([MPDFilter])
    case not(MPDFilter)
    /// A text, exactly or whatever its case and accents.
    case text(Field, Comparison, String, isExact: Bool)
    /// The song lies in this folder, or below.
    case base(String)
    /// It has changed since then, in seconds since 1970.
    case modifiedSince(Int64)

    /// Whether it is true of a song.
    package func matches(_ song: MPDSong) -> Bool {
        switch self {
        case .all(let filters): return filters.allSatisfy { $0.matches(song) }
        case .not(let filter): return !filter.matches(song)
        case .base(let folder): return folder.isEmpty || song.uri == folder || song.uri.hasPrefix(folder + "/")
        case .modifiedSince(let time): return song.modified.map { $0 >= time } ?? false
        case .text(let field, let comparison, let wanted, let isExact):
            let values: [String]
            switch field {
            case .tag(let tag): values = song.values(of: tag)
            case .any: values = song.tags.values.flatMap(\.self)
            case .file: values = [song.uri]
            }
            // An empty text means that there is no such tag.
            if wanted.isEmpty, comparison == .equal { return values.isEmpty }
            return values.contains { Self.matches($0, comparison, wanted, isExact) }
        }
    }

    private static func matches(_ value: String, _ comparison: Comparison, _ wanted: String, _ isExact: Bool) -> Bool {
        let (value, wanted) = isExact ? (value, wanted) : (Names.fold(value), Names.fold(wanted))
        return switch comparison {
        case .equal: value == wanted
        case .startsWith: value.hasPrefix(wanted)
        case .contains: wanted.isEmpty || value.firstRange(of: wanted) != nil
        }
    }
}
