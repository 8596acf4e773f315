import Foundation
import Testing
import TuttiAssets
import TuttiLibrary
import TuttiSchema

@Suite("What is asked of a library through a service")
struct AnsweringTests {
    let shop: MusicShop
    let library: LibraryStore

    init() throws {
        shop = try MusicShop()
        for number in 1...3 {
            try shop.flac(
                "Kind of Blue/\(number).flac",
                [
                    "TITLE": "Track \(number)", "ARTIST": "Miles Davis", "ALBUM": "Kind of Blue", "DATE": "1959",
                    "TRACKNUMBER": "\(number)", "GENRE": "Jazz",
                ])
        }
        try shop.flac("air.flac", ["TITLE": "Air", "ARTIST": "Bach", "ALBUM": "Suites"], seconds: 90)
        library = try shop.scanned()
    }

    private var all: [LibraryListing.Track] {
        get throws { try #require(library.answer(.all(after: 0, limit: 1_000)).tracks) }
    }

    @Test("a search has names, albums and tracks, and parts")
    func search() throws {
        let found = try library.answer(.search("miles", LibrarySpan(limit: 2)))
        #expect(found.names?.map(\.name) == ["Miles Davis"] && found.albums?.map(\.title) == ["Kind of Blue"])
        #expect(found.tracks?.count == 2 && found.more == true)
        let rest = try library.answer(.search("miles", LibrarySpan(offset: 2, limit: 2)))
        #expect(rest.tracks?.count == 1 && rest.names == [] && rest.more == false)
        #expect(try library.answer(.search("miles", LibrarySpan(offset: 1 << 40, limit: 1_000))).tracks == [])
    }

    @Test("every list says whether it goes on", arguments: LibraryList.allCases)
    func lists(what: LibraryList) throws {
        let page = try library.answer(.list(what, by: .title, LibrarySpan(limit: 1)))
        let count = [page.names?.count, page.albums?.count, page.tracks?.count, page.years?.count].compactMap(\.self)
        #expect(count.count == 1)
        let whole = try library.answer(.list(what, by: .title, LibrarySpan()))
        #expect(whole.more == false)
        if page.more == true { #expect(count == [1]) }
    }

    @Test("an album, an artist and a year")
    func entries() throws {
        let album = try #require(library.answer(.find(.albums, name: "kind of blue")).albums?.first)
        let opened = try library.answer(.album(album.id))
        #expect(opened.albums == [album] && opened.tracks?.map(\.number) == [1, 2, 3])
        let artist = try #require(library.answer(.find(.artists, name: "MILES DAVIS")).names?.first)
        let named = try library.answer(.name(artist.id, LibrarySpan()))
        #expect(named.names == [artist] && named.albums == [album] && named.tracks?.count == 3)
        #expect(try library.answer(.year(1959, LibrarySpan())).albums == [album])
        #expect(throws: LibraryError.noSuchAlbum(99)) { try library.answer(.album(99)) }
        #expect(throws: LibraryError.noSuchName(99)) { try library.answer(.name(99, LibrarySpan())) }
    }

    @Test("all tracks, a part after the other")
    func paging() throws {
        var ids: [Int64] = []
        var more = true
        while more {
            let page = try library.answer(.all(after: ids.last ?? 0, limit: 3))
            ids += (page.tracks ?? []).map(\.id)
            more = page.more == true
        }
        #expect(ids.count == 4 && ids == ids.sorted())
    }

    @Test("tracks by their files")
    func files() throws {
        let found = try library.answer(
            .files([shop.path("air.flac"), "/none", "", "air.flac", shop.music.path, shop.path("") + "/air.flac"]))
        #expect(found.tracks?.map(\.title) == ["Air", "Air"])
    }

    @Test("favourites are all marked or none")
    func favourites() throws {
        let ids = try all.filter { $0.title != "Air" }.map(\.id)
        #expect(throws: LibraryError.noSuchTrack(999)) { try library.setFavourites([ids[0], 999], true) }
        #expect(try library.answer(.list(.favourites, by: .title, LibrarySpan())).tracks == [])
        #expect(throws: LibraryError.nothingFound("/none")) {
            try library.markFavourites([LibraryFile(path: shop.path("air.flac")), LibraryFile(path: "/none")], true)
        }
        let marked = try library.markFavourites([LibraryFile(path: shop.path("air.flac"))], ids: [ids[0]], true)
        #expect(marked.allSatisfy(\.favourite) && marked.count == 2)
        #expect(try library.statistics().favourites == 2)
    }

    @Test("the number of what there is changes with files, and not with what was played")
    func revision() throws {
        let first = try library.statistics()
        #expect(first.tracks == 4 && first.albums == 2 && first.genres == 1 && first.duration == 270)
        try library.notePlayed(try all[0].id, at: 1_000)
        try library.setFavourites([try all[0].id], true)
        library.scan()
        #expect(try library.statistics().revision == first.revision)
        try shop.flac("air.flac", ["TITLE": "Air again", "ARTIST": "Bach"], seconds: 91)
        library.scan()
        let second = try library.statistics().revision
        #expect(second != first.revision)
        try shop.remove("air.flac")
        library.scan()
        #expect(try library.statistics().revision != second)
    }
}
