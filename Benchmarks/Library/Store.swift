import Glibc
import TuttiAssets
import TuttiLibrary

/// Words that titles are made of, the first ones much more often than the last: as in a language.
struct MadeWords {
    private var state: UInt64 = 42
    private let words: [String]

    init() {
        let syllables = [
            "ka", "lo", "mi", "ra", "te", "so", "ne", "vi", "du", "pa", "shi", "bro", "ün", "el", "or", "and", "the",
        ]
        var state: UInt64 = 7
        words = (0..<6_000).map { _ in
            (0..<3).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return syllables[Int(state >> 33) % syllables.count]
            }.joined()
        }
    }

    mutating func number(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    mutating func text(_ count: Int) -> String {
        (0..<count).map { _ in
            let bound = 1 + number(below: words.count)
            return words[number(below: bound)]
        }.joined(separator: " ")
    }
}

/// Fills a library.
func fill(_ state: String) throws {
    let library = try LibraryStore(directory: state)
    var words = MadeWords()
    let start = seconds()
    try library.fill(folder: "/tmp", albums: 100_000 / 12 + 1) { album in
        let (artist, title) = (words.text(2), words.text(3))
        return (1...12).map { number in
            var tags = AssetTags()
            (tags.title, tags.artist, tags.album) = (words.text(2 + number % 3), artist, title)
            tags.albumArtist = artist
            tags.genre = ["Rock", "Jazz", "Classical; Opera", "Pop", words.text(1)][album % 5]
            tags.composer = album % 5 == 2 ? words.text(2) : nil
            (tags.year, tags.track) = (1_960 + album % 65, number)
            return tags
        }
    }
    print("filled \(try library.trackCount()) tracks in \(seconds() - start) s")
    library.close()
}

/// Asks a library that `fill` has filled.
func measureStore(_ state: String) throws {
    let empty = residentMegabytes()
    let opening = seconds()
    let opened = try LibraryStore(directory: state)
    show("open", (seconds() - opening) * 1_000)
    let searches = [
        "k", "t", "ka", "the", "kal", "kalomi", "a b", "ka lo mi", "k l m r t", "rock ka", "rock jazz", "opera pop k",
        "unel", "zzz",
    ]
    for words in searches {
        try best("search \"\(words)\"") {
            let found = try opened.search(words)
            return "\(found.artists.count) artists, \(found.albums.count) albums, \(found.tracks.count) tracks"
        }
    }
    for order in LibraryStore.AlbumOrder.allCases {
        try best("albums by \(order), first page") { "\(try opened.albums(LibraryPage(), by: order).count)" }
        try best("albums by \(order), page at 8 000") {
            "\(try opened.albums(LibraryPage(offset: 8_000), by: order).count)"
        }
    }
    for kind in LibraryName.Kind.allCases {
        try best("\(kind)s") { "\(try opened.names(kind, LibraryPage()).count)" }
        try best("\(kind)s, page at 7 000") { "\(try opened.names(kind, LibraryPage(offset: 7_000)).count)" }
    }
    try best("years") { "\(try opened.years(LibraryPage()).count)" }
    try best("recently added") { "\(try opened.recentlyAdded(LibraryPage()).count)" }
    try best("all tracks, page at 90 000") { "\(try opened.tracks(LibraryPage(offset: 90_000)).count)" }
    if let rock = try opened.name(.genre, called: "rock") {
        try best("albums of a genre (\(rock.trackCount) tracks)") {
            "\(try opened.albums(of: rock.id, LibraryPage()).count)"
        }
        try best("tracks of a genre") { "\(try opened.tracks(of: rock.id, LibraryPage()).count)" }
    }
    if let album = try opened.albums(LibraryPage()).first {
        try best("an album") { "\(try opened.tracks(ofAlbum: album.id).count)" }
    }
    print("memory: \(residentMegabytes() - empty) MB more than before it was opened")
    opened.close()
}
