import Foundation
import Testing
import TuttiAssets
import TuttiLibrary

@Suite("Searching a library")
struct SearchTests {
    let shop: MusicShop
    let library: LibraryStore

    init() throws {
        shop = try MusicShop()
        library = try shop.library()
        let tracks = [
            MadeTags.tags("Größenwahn", artist: "Die Ärzte", album: "Debil", composer: "Farin Urlaub"),
            MadeTags.tags("Blue in Green", artist: "Miles Davis", album: "Kind of Blue"),
            MadeTags.tags("So What", artist: "Miles Davis", album: "Kind of Blue"),
            MadeTags.tags("Piano Sonata 11", artist: "Alfred Brendel", album: "Sonatas", composer: "Mozart"),
            MadeTags.tags("Thunderstruck", artist: "AC/DC", album: "The Razors Edge"),
            MadeTags.tags("Green", artist: "Throwing Muses", album: "Green Album"),
        ]
        try library.fill(folder: shop.music.path, albums: tracks.count) { [tracks[$0]] }
    }

    @Test("every word is a beginning, and all must match, in any text")
    func words() throws {
        #expect(try titles("moz pia") == ["Piano Sonata 11"])
        #expect(try titles("mil wha") == ["So What"])
        #expect(try titles("moz blue").isEmpty)
        #expect(try titles("iano").isEmpty)
    }

    @Test("case and accents do not matter", arguments: ["arzte", "ÄRZTE", "größen", "GRÖSSENWAHN", "farin u"])
    func accents(words: String) throws {
        #expect(try titles(words) == ["Größenwahn"])
    }

    @Test("what begins with the words comes first, then titles, then albums and artists")
    func order() throws {
        #expect(try titles("green") == ["Green", "Blue in Green"])
        #expect(try titles("blue") == ["Blue in Green", "So What"])
    }

    @Test("artists, albums and tracks")
    func kinds() throws {
        let found = try library.search("miles")
        #expect(found.artists.map(\.name) == ["Miles Davis"])
        #expect(found.artists.first?.trackCount == 2)
        #expect(found.albums.map(\.title).allSatisfy { $0 == "Kind of Blue" } && !found.albums.isEmpty)
        #expect(found.tracks.count == 2)
        #expect(try library.search("mozart").artists.map(\.kind) == [.composer])
        #expect(try library.search("blue", limit: 1).tracks.count == 1)
    }

    @Test("marks in words have no meaning", arguments: ["ac/dc", "AC/D", "\"ac\" dc", "ac-dc", "(ac* dc)"])
    func marks(words: String) throws {
        #expect(try titles(words).allSatisfy { $0 == "Thunderstruck" })
    }

    @Test(
        "no text does harm",
        arguments: [
            "", " ", "\"", "*", "NEAR(", "a OR", "NOT", "{title} : x", "^", "\0", "a\0b", "'; DROP TABLE track; --",
            "!!!",
            "😀", "\u{202E}", "%", "_", "-", "a AND b OR", ")", "col:x", String(repeating: "a", count: 100_000),
            String(repeating: "a ", count: 5_000), "\u{301}", "\"\"\"\"",
        ])
    func hostile(words: String) throws {
        _ = try library.search(words)
        #expect(try library.trackCount() == 6)
    }

    @Test("parts of the library as inputs")
    func queries() throws {
        let album = try #require(LibraryQuery("album:kind of blue"))
        #expect(try album.inputs(in: library).count == 1)
        #expect(try LibraryQuery("artist:Miles Davis")?.inputs(in: library).count == 2)
        #expect(try LibraryQuery("ARTIST:miles")?.inputs(in: library).count == 2)
        #expect(try LibraryQuery("composer:mozart")?.inputs(in: library).first?.uri.hasPrefix(shop.music.path) == true)
        #expect(try LibraryQuery("search:green")?.inputs(in: library).count == 2)
        #expect(LibraryQuery("http://radio") == nil)
        #expect(LibraryQuery("/music/album:1") == nil)
        #expect(LibraryQuery("album:") == nil)
        #expect(throws: LibraryError.nothingFound("genre:polka")) {
            try LibraryQuery("genre:polka")?.inputs(in: library)
        }
    }

    private func titles(_ words: String) throws -> [String] { try library.search(words).tracks.map(\.title) }
}
