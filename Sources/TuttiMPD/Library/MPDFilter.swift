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
    package func matches(_ song: some MPDTagged) -> Bool {
        switch self {
        case .all(let filters): return filters.allSatisfy { $0.matches(song) }
        case .not(let filter): return !filter.matches(song)
        case .base(let folder): return folder.isEmpty || song.uri == folder || song.uri.hasPrefix(folder + "/")
        case .modifiedSince(let time): return song.modified.map { $0 >= time } ?? false
        case .text(let field, let comparison, let wanted, let isExact):
            let values: [String]
            switch field {
            case .tag(let tag): values = song.values(of: tag)
            case .any: values = song.everyValue
            case .file: values = [song.uri]
            }
            // An empty text means that there is no such tag.
            if wanted.isEmpty, comparison == .equal { return values.isEmpty }
            return values.contains { Self.matches($0, comparison, wanted, isExact) }
        }
    }

    /// The folder in which all songs lie for which it is true; nil where it says nothing of that.
    var folder: String? {
        switch self {
        case .base(let folder): folder
        case .all(let filters): filters.lazy.compactMap(\.folder).first
        case .not, .text, .modifiedSince: nil
        }
    }

    private static func matches(_ value: String, _ comparison: Comparison, _ wanted: String, _ isExact: Bool) -> Bool {
        let (value, wanted) = isExact ? (value, wanted) : (fold(value), fold(wanted))
        return switch comparison {
        case .equal: value == wanted
        case .startsWith: value.hasPrefix(wanted)
        case .contains: wanted.isEmpty || value.firstRange(of: wanted) != nil
        }
    }
}

extension MPDFilter {
    /// As `Names.fold`, and quicker where all is ASCII: a library has many texts.
    fileprivate static func fold(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : Names.fold(text)
    }
}

/// What has tags.
package protocol MPDTagged: Sendable {
    /// It, as answers describe it.
    var song: MPDSong { get }
    /// What clients name it by.
    var uri: String { get }
    /// Seconds since 1970 UTC of its last change.
    var modified: Int64? { get }
    /// Seconds; nil if that is not known.
    var duration: Double? { get }
    /// The values of a tag, without what stands in for it.
    func own(_ tag: MPDTag) -> [String]
    /// The values of all tags.
    var everyValue: [String] { get }
}

extension MPDTagged {
    /// The values of a tag, or of what stands in for it.
    package func values(of tag: MPDTag) -> [String] {
        var wanted: MPDTag? = tag
        while let tag = wanted {
            let values = own(tag)
            if !values.isEmpty { return values }
            wanted = tag.fallback
        }
        return []
    }
}
