/// What a source has said of what it plays, before its picture is looked at.
package struct SaidTags: Sendable, Equatable {
    /// Where a picture is.
    package enum Picture: Sendable, Equatable {
        /// These are the bytes of its file.
        case bytes([UInt8])
        /// In this file.
        case file(String)
        /// At this address on the web.
        case address(String)
    }

    package var title: String?
    package var artist: String?
    package var album: String?
    package var picture: Picture?

    package init(title: String? = nil, artist: String? = nil, album: String? = nil, picture: Picture? = nil) {
        (self.title, self.artist, self.album, self.picture) = (title, artist, album, picture)
    }

    /// Whether it says nothing.
    var isEmpty: Bool { title == nil && artist == nil && album == nil }
}

/// What came of some bytes.
package enum TagEvent: Sendable, Equatable {
    /// This plays now; nil for nothing that anybody knows of.
    case says(SaidTags?)
    /// What people should know of it.
    case remark(String)
}

/// Reads what a source writes about what it plays. Sans-I/O; whatever comes, it takes bounded memory and goes on.
package protocol TagParser: Sendable {
    /// Takes in what came next.
    mutating func take(_ bytes: [UInt8]) -> [TagEvent]
    /// Whoever wrote has gone, and the next one begins anew.
    mutating func end() -> [TagEvent]
}

extension TagAddress.Kind {
    /// What reads it.
    package var parser: any TagParser {
        switch self {
        case .shairport: ShairportTags()
        case .lines: TagLines()
        }
    }
}

/// Texts of tags.
enum TagValue {
    /// Bytes of a text, nil where nothing is in it.
    static func text(_ bytes: some Sequence<UInt8>) -> String? {
        let text = TagText.oneLine(UnknownText.text(of: Array(bytes)))
        return text.isEmpty ? nil : text
    }
}
