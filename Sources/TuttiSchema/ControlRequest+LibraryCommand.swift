extension ControlRequest {
    /// What is asked of the music library.
    package enum LibraryCommand: Sendable, Equatable {
        /// How much there is.
        case statistics
        /// Its folders.
        case roots
        /// Artists, albums and tracks in whose texts all words begin one.
        case search(String, LibrarySpan)
        /// A list; the order is that of albums.
        case list(LibraryList, by: LibraryOrder, LibrarySpan)
        /// Those of a list that have this name, however case and accents are written: albums, artists, album artists,
        /// composers or genres.
        case find(LibraryList, name: String)
        /// An album and its tracks.
        case album(Int64)
        /// An artist, album artist, composer or genre, and a part of the albums and tracks.
        case name(Int64, LibrarySpan)
        /// The albums of a year.
        case year(Int, LibrarySpan)
        /// All tracks in the order of their ids, after one of them.
        case all(after: Int64, limit: Int)
        /// The tracks of these files, as far as the library has them.
        case files([String])
        /// Makes tracks favourites, or none: those of these ids, and those that these inputs mean. Without either, the
        /// one that the request's group plays. The answer has the tracks.
        case favourite(Bool, ids: [Int64], inputs: [ControlInput])
        /// What clients have noted of a track, or under a name of all tracks: in the order of the tracks' ids, after one
        /// of them.
        case stickers(StickerPlace)
        /// Notes something of a track under a name; without a value, takes the note away, without a name all of them.
        case sticker(id: Int64, name: String?, value: String?)
        /// Has the service look for changes now.
        case scan
    }

    /// Of which tracks notes are asked for.
    package enum StickerPlace: Sendable, Equatable {
        case track(Int64)
        case named(String, after: Int64, limit: Int)
    }

    /// Tracks that one request makes favourites, and files that it asks for, at most.
    package static let mostTracks = 10_000
}

extension ControlRequest.LibraryCommand {
    /// Whether it only looks.
    package var isReading: Bool {
        switch self {
        case .favourite, .sticker, .scan: false
        default: true
        }
    }

    init(_ fields: RequestFields) throws {
        let mode = try fields.decodeIfPresent(String.self, forKey: .mode) ?? "statistics"
        switch mode {
        case "statistics": self = .statistics
        case "roots": self = .roots
        case "search": self = .search(try fields.required(.words, "the words are missing"), try fields.span)
        case "list":
            self = .list(
                try fields.word(.what) ?? .albums, by: try fields.word(.by) ?? .artist, try fields.span)
        case "find":
            self = .find(try fields.word(.what) ?? .albums, name: try fields.required(.name, "the name is missing"))
        case "album": self = .album(try fields.required(.id, "the album's id is missing"))
        case "name": self = .name(try fields.required(.id, "the name's id is missing"), try fields.span)
        case "year": self = .year(try fields.required(.year, "the year is missing"), try fields.span)
        case "all":
            self = .all(after: try fields.decodeIfPresent(Int64.self, forKey: .id) ?? 0, limit: try fields.span.limit)
        case "files":
            let paths: [String] = try fields.required(.paths, "the paths are missing")
            guard paths.count <= ControlRequest.mostTracks else { throw RequestFault("too many paths") }
            self = .files(paths)
        case "favourite", "unfavourite":
            let ids = try fields.decodeIfPresent([Int64].self, forKey: .ids) ?? []
            guard ids.count <= ControlRequest.mostTracks else { throw RequestFault("too many tracks") }
            self = .favourite(
                mode == "favourite", ids: ids,
                inputs: try fields.decodeIfPresent([ControlInput].self, forKey: .inputs) ?? [])
        case "stickers":
            if let name = try fields.decodeIfPresent(String.self, forKey: .name) {
                let last = try fields.decodeIfPresent(Int64.self, forKey: .id) ?? 0
                self = .stickers(.named(name, after: last, limit: try fields.span.limit))
            } else {
                self = .stickers(.track(try fields.required(.id, "the track's id is missing")))
            }
        case "sticker":
            self = .sticker(
                id: try fields.required(.id, "the track's id is missing"),
                name: try fields.decodeIfPresent(String.self, forKey: .name),
                value: try fields.decodeIfPresent(String.self, forKey: .value))
        case "scan": self = .scan
        default:
            throw RequestFault(
                "the mode of the library is statistics, roots, search, list, find, album, name, year, all, files, favourite, "
                    + "unfavourite, stickers, sticker or scan")
        }
    }

    func encode(to fields: inout RequestWriter) throws {
        try fields.encode(mode, forKey: .mode)
        switch self {
        case .statistics, .roots, .scan: break
        case .search(let words, let span):
            try fields.encode(words, forKey: .words)
            try fields.encode(span)
        case .list(let what, let order, let span):
            try fields.encode(what.rawValue, forKey: .what)
            if what == .albums { try fields.encode(order.rawValue, forKey: .by) }
            try fields.encode(span)
        case .find(let what, let name):
            try fields.encode(what.rawValue, forKey: .what)
            try fields.encode(name, forKey: .name)
        case .album(let id): try fields.encode(id, forKey: .id)
        case .name(let id, let span):
            try fields.encode(id, forKey: .id)
            try fields.encode(span)
        case .year(let year, let span):
            try fields.encode(year, forKey: .year)
            try fields.encode(span)
        case .all(let id, let limit):
            try fields.encode(id, forKey: .id)
            try fields.encode(limit, forKey: .limit)
        case .files(let paths): try fields.encode(paths, forKey: .paths)
        case .favourite(_, let ids, let inputs):
            if !ids.isEmpty { try fields.encode(ids, forKey: .ids) }
            if !inputs.isEmpty { try fields.encode(inputs, forKey: .inputs) }
        case .stickers(.track(let id)): try fields.encode(id, forKey: .id)
        case .stickers(.named(let name, let last, let limit)):
            try fields.encode(name, forKey: .name)
            try fields.encode(last, forKey: .id)
            try fields.encode(limit, forKey: .limit)
        case .sticker(let id, let name, let value):
            try fields.encode(id, forKey: .id)
            try fields.encodeIfPresent(name, forKey: .name)
            try fields.encodeIfPresent(value, forKey: .value)
        }
    }

    private var mode: String {
        switch self {
        case .statistics: "statistics"
        case .roots: "roots"
        case .search: "search"
        case .list: "list"
        case .find: "find"
        case .album: "album"
        case .name: "name"
        case .year: "year"
        case .all: "all"
        case .files: "files"
        case .favourite(let isFavourite, _, _): isFavourite ? "favourite" : "unfavourite"
        case .stickers: "stickers"
        case .sticker: "sticker"
        case .scan: "scan"
        }
    }
}

extension RequestFields {
    fileprivate var span: LibrarySpan {
        get throws {
            LibrarySpan(
                offset: try decodeIfPresent(Int.self, forKey: .offset) ?? 0,
                limit: try decodeIfPresent(Int.self, forKey: .limit) ?? LibrarySpan.usual)
        }
    }

    /// One of some words; nil where none is given.
    fileprivate func word<Word: RawRepresentable<String> & CaseIterable>(_ key: Key) throws -> Word? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestFault("\(key.rawValue) is one of these: \(known)")
        }
        return word
    }
}

extension RequestWriter {
    fileprivate mutating func encode(_ span: LibrarySpan) throws {
        try encode(span.offset, forKey: .offset)
        try encode(span.limit, forKey: .limit)
    }
}
