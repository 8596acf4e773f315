import Foundation
import Testing
import TuttiAssets
import TuttiCore
import TuttiLibrary

@Suite("Albums, names and lists of a library")
struct BrowseTests {
    let shop: MusicShop

    init() throws { shop = try MusicShop() }

    @Test("discs in folders of their own are one album, in order")
    func discs() throws {
        for (folder, disc) in [("CD1", 1), ("Disc 2 - Live", 2)] {
            for track in [2, 1] {
                try shop.flac(
                    "Band/Album/\(folder)/\(track).flac",
                    [
                        "TITLE": "\(disc).\(track)", "ARTIST": "Band", "ALBUM": "Album", "DISCNUMBER": "\(disc)",
                        "TRACKNUMBER": "\(track)", "DATE": "1980",
                    ])
            }
        }
        let library = try shop.scanned()
        let albums = try library.albums(LibraryPage())
        #expect(albums.count == 1)
        let album = try #require(albums.first)
        #expect(album.discCount == 2 && album.trackCount == 4 && album.artist == "Band" && album.year == 1980)
        #expect(album.duration == MediaTime(value: 240, timescale: 1))
        #expect(try library.tracks(ofAlbum: album.id).map(\.title) == ["1.1", "1.2", "2.1", "2.2"])
    }

    @Test("compilations are one album, tagged or by their folder")
    func compilations() throws {
        for (index, artist) in ["Abba", "Beck", "Cher"].enumerated() {
            try shop.flac(
                "\(artist)/Hits/\(index).flac", ["ARTIST": artist, "ALBUM": "Hits", "COMPILATION": "1"])
            try shop.flac("mix/\(index).flac", ["ARTIST": artist, "ALBUM": "Mix"])
            try shop.flac(
                "va/\(index).flac", ["ARTIST": artist, "ALBUM": "VA", "ALBUMARTIST": "Various Artists"])
        }
        let albums = try shop.scanned().albums(LibraryPage())
        #expect(albums.map(\.title) == ["Hits", "Mix", "VA"])
        #expect(albums.allSatisfy { $0.isCompilation && $0.trackCount == 3 && $0.artist == "Various Artists" })
    }

    @Test("albums of one title by two artists are two; a guest makes none")
    func sameTitle() throws {
        for artist in ["Abba", "Beck"] {
            for track in 1...3 {
                let guest = track == 3 ? " feat. Somebody" : ""
                try shop.flac("\(artist)/\(track).flac", ["ARTIST": artist + guest, "ALBUM": "Greatest Hits"])
            }
        }
        let albums = try shop.scanned().albums(LibraryPage(), by: .artist)
        #expect(albums.map(\.artist) == ["Abba", "Beck"])
        #expect(albums.allSatisfy { !$0.isCompilation && $0.trackCount == 3 })
    }

    @Test("names of several in one tag, however they are written")
    func names() throws {
        try shop.flac("1.flac", ["TITLE": "1", "ARTIST": "Björk; Tricky", "GENRE": "Pop;Trip Hop", "COMPOSER": "Bach"])
        try shop.flac("2.flac", ["TITLE": "2", "ARTIST": "BJORK", "GENRE": "pop"])
        let library = try shop.scanned()
        let artists = try library.names(.artist, LibraryPage())
        #expect(artists.map { $0.name.lowercased() }.sorted().last == "tricky")
        #expect(artists.map(\.trackCount) == [2, 1])
        #expect(try library.names(.genre, LibraryPage()).map(\.trackCount) == [2, 1])
        #expect(try library.names(.composer, LibraryPage()).map(\.name) == ["Bach"])
        let bjork = try #require(try library.name(.artist, called: "björk"))
        #expect(try library.tracks(of: bjork.id, LibraryPage()).map(\.title) == ["1", "2"])
    }

    @Test("pages follow each other without gaps")
    func pages() throws {
        let library = try shop.library()
        try library.fill(folder: shop.music.path, albums: 30) { album in
            (0..<4).map { track in
                MadeTags.tags("\(album) \(track)", artist: "A\(album % 7)", album: "Album \(album)", year: 1990 + album)
            }
        }
        var titles: [String] = []
        for offset in stride(from: 0, to: 140, by: 25) {
            titles += try library.tracks(LibraryPage(offset: offset, limit: 25)).map(\.title)
        }
        #expect(titles.count == 120 && Set(titles).count == 120 && titles == titles.sorted())
        #expect(try library.albums(LibraryPage(limit: 3), by: .year).compactMap(\.year) == [2019, 2018, 2017])
        #expect(try library.years(LibraryPage(limit: 2)).map(\.trackCount) == [4, 4])
        #expect(try library.albums(ofYear: 1990, LibraryPage()).map(\.title) == ["Album 0"])
        let artist = try #require(try library.name(.albumArtist, called: "a3"))
        #expect(try library.albums(of: artist.id, LibraryPage()).count == 4)
        #expect(try library.tracks(LibraryPage(offset: -5, limit: .max)).count == 120)
        #expect(try library.tracks(LibraryPage(offset: .max, limit: 0)).isEmpty)
    }

    @Test("what was added and played last comes first")
    func recent() throws {
        for index in 1...3 { try shop.flac("\(index).flac", ["TITLE": "\(index)", "ALBUM": "Album \(index)"]) }
        let library = try shop.scanned()
        let tracks = try library.tracks(LibraryPage())
        try library.notePlayed(tracks[2].id, at: 100)
        try library.notePlayed(tracks[0].id, at: 200)
        try library.notePlayed(tracks[0].id, at: 150)
        #expect(try library.recentlyPlayed(LibraryPage()).map(\.title) == ["1", "3"])
        #expect(try library.recentlyPlayed(LibraryPage()).first?.playCount == 2)
        #expect(try library.albums(LibraryPage(), by: .played).map(\.title) == ["Album 1", "Album 3"])
        #expect(try library.recentlyAdded(LibraryPage()).count == 3)
        try library.setResume(tracks[1].id, at: MediaTime(value: 90, timescale: 1))
        #expect(try library.track(tracks[1].id)?.resume == MediaTime(value: 90, timescale: 1))
        #expect(throws: LibraryError.noSuchTrack(9_999)) { try library.notePlayed(9_999, at: 1) }
        #expect(throws: LibraryError.noSuchAlbum(9_999)) { try library.tracks(ofAlbum: 9_999) }
    }

    @Test("pictures in files and beside them")
    func pictures() throws {
        try shop.flac("in/1.flac", ["TITLE": "In", "ALBUM": "In"], picture: 64)
        try shop.flac("beside/1.flac", ["TITLE": "Beside", "ALBUM": "Beside"])
        try shop.write([0xFF, 0xD8, 0xFF, 1, 2, 3], "beside/Folder.jpg")
        try shop.flac("none/1.flac", ["TITLE": "None", "ALBUM": "None"])
        let library = try shop.scanned()
        let tracks = try library.tracks(LibraryPage())
        #expect(tracks.map(\.hasArtwork) == [true, true, false])
        #expect(try library.artwork(ofTrack: tracks[0].id)?.data.count == 6)
        let album = try #require(tracks[1].albumID)
        #expect(try library.artwork(ofAlbum: album)?.data.count == 64)
        #expect(try library.artwork(ofTrack: tracks[2].id) == nil)
    }
}
