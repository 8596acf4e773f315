import Foundation
import Testing
import TuttiAssets
import TuttiCore
import TuttiLibrary
import TuttiSchema

@Suite("Cue sheets in a library")
struct SheetTests {
    let shop: MusicShop

    init() throws { shop = try MusicShop() }

    private func sheet(_ titles: [String], file: String = "disc.flac", album: String = "The Disc") -> [UInt8] {
        var lines = [
            "REM GENRE Jazz", "REM DATE 1959", "PERFORMER \"Band\"", "TITLE \"\(album)\"", "FILE \"\(file)\" WAVE",
        ]
        for (index, title) in titles.enumerated() {
            lines += ["TRACK 0\(index + 1) AUDIO", "TITLE \"\(title)\"", "INDEX 01 00:0\(index):37"]
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    private func tracks(_ library: LibraryStore) throws -> [LibraryTrack] {
        guard let album = try library.albums(LibraryPage()).first else { return [] }
        return try library.tracks(ofAlbum: album.id)
    }

    @Test("a file with a sheet beside it is its tracks, and no track of its own")
    func aSheet() throws {
        try shop.flac("a/disc.flac", ["TITLE": "All of it", "ALBUM": "Old", "COMPOSER": "Writer"], picture: 100)
        try shop.write(sheet(["One", "Two", "Three"]), "a/disc.cue")
        let library = try shop.library()
        _ = try library.add(shop.music.path)
        #expect(library.scan().trouble.isEmpty)
        let tracks = try tracks(library)
        #expect(tracks.map(\.title) == ["One", "Two", "Three"] && tracks.map(\.number) == [1, 2, 3])
        #expect(try library.trackCount() == 3 && tracks.allSatisfy { $0.path == shop.path("a/disc.flac") })
        let first = try #require(tracks.first)
        #expect(first.artist == "Band" && first.album == "The Disc" && first.albumArtist == "Band")
        #expect(first.genre == "Jazz" && first.year == 1959 && first.composer == "Writer" && first.hasArtwork)
        #expect(first.duration == MediaTime(value: 75, timescale: 75) && first.id > 1 << 40)
        #expect(first.input.start == MediaTime(value: 37, timescale: 75))
        #expect(first.input.end == MediaTime(value: 112, timescale: 75) && tracks[2].input.end == nil)
        // They join without a gap.
        #expect(tracks[0].input.end == tracks[1].input.start && tracks[1].input.end == tracks[2].input.start)
        #expect(tracks[2].duration.map { abs($0.seconds - (60 - 2 - 37.0 / 75)) < 0.01 } == true)
        #expect(try library.search("two").tracks.map(\.title) == ["Two"])
        #expect(try library.track(atPath: shop.path("a/disc.flac"), start: 112.0 / 75)?.title == "Two")
        #expect(try library.tracks(atPath: shop.path("a/disc.flac")).count == 3)
        #expect(
            try library.answer(.files([shop.path("a/disc.flac")])).tracks?.map(\.start) == [
                [37, 75], [112, 75], [187, 75],
            ])
        #expect(try library.answer(.all(after: 0, limit: 10)).tracks?.count == 3)
        #expect(try library.statistics().tracks == 3)
        let (progress, trouble) = library.scan()
        #expect(progress.read == 0 && trouble.isEmpty)
    }

    @Test("a sheet that comes, changes or goes is followed, and its tracks keep what was heard of them")
    func changes() throws {
        try shop.flac("a/disc.flac", ["TITLE": "All of it", "ALBUM": "Old"])
        try shop.write([1], "notes.txt")
        let library = try shop.scanned()
        #expect(library.titles == ["All of it"])
        try shop.write(sheet(["One", "Two"]), "a/disc.cue")
        library.scan()
        #expect(library.titles == ["One", "Two"])
        let second = try #require(try library.search("two").tracks.first)
        try library.notePlayed(second.id, at: 1_000)
        _ = try library.markFavourites([LibraryFile(path: second.path, start: 112.0 / 75)], true)

        try shop.write(sheet(["One", "Deux", "Trois"]), "a/disc.cue")
        library.scan()
        #expect(library.titles == ["Deux", "One", "Trois"])
        let renamed = try #require(try library.track(second.id))
        #expect(renamed.title == "Deux" && renamed.playCount == 1 && renamed.isFavourite)
        #expect(try library.search("two").isEmpty)

        let revision = try library.statistics().revision
        try shop.move("a", to: "b")
        library.scan()
        #expect(try library.track(second.id)?.path == shop.path("b/disc.flac"))
        #expect(try library.statistics().revision != revision)
        let moved = try library.statistics().revision
        try shop.move("b/disc.flac", to: "b/disc2.flac")
        library.scan()
        #expect(try library.statistics().revision != moved)
        try shop.move("b/disc2.flac", to: "b/disc.flac")
        library.scan()

        try shop.remove("b/disc.cue")
        library.scan()
        #expect(try library.titles == ["All of it"] && library.albums(LibraryPage()).map(\.title) == ["Old"])
        try shop.write(sheet(["One", "Two"]), "b/disc.cue")
        library.scan()
        try shop.remove("b")
        library.scan()
        #expect(try library.titles.isEmpty && library.albums(LibraryPage()).isEmpty)
        #expect(try library.answer(.all(after: 0, limit: 10)).tracks?.isEmpty == true)
    }

    @Test("of what a sheet says wrong, one line is said, and the rest is followed")
    func flaws() throws {
        try shop.flac("a/disc.flac", ["ALBUM": "Short"], seconds: 2)
        try shop.write(sheet(["One", "Two", "Three", "Four"]), "a/disc.cue")
        try shop.flac("b/x.flac", ["TITLE": "Alone"])
        try shop.write(sheet(["One", "Two"], file: "none.wav"), "b/other.cue")
        try shop.write([], "c/empty.cue")
        try shop.flac("c/y.flac", ["TITLE": "Whole"])
        try shop.write([0xFF, 0xFE, 0x00], "c/noise.cue")
        let library = try shop.library()
        _ = try library.add(shop.music.path)
        let trouble = library.scan().trouble
        #expect(library.titles == ["Alone", "One", "Two", "Whole"])
        let sheets = try #require(trouble.first { $0.kind == .sheet })
        #expect(sheets.count >= 3 && sheets.example.contains("disc.cue: track 3 begins behind the end of its file"))
        #expect(!sheets.description.contains("\n"))
        #expect(library.scan().progress.read == 0)
    }

    @Test("a sheet finds its file in other case, by another ending, and with a path of another system before it")
    func names() throws {
        for (folder, name) in [
            ("a", "DISC.FLAC"), ("b", "disc.wav"), ("c", "C:\\Rips\\disc.flac"), ("d", "Unknown.ape"),
        ] {
            try shop.flac("\(folder)/disc.flac")
            try shop.write(sheet(["\(folder) one", "\(folder) two"], file: name), "\(folder)/disc.cue")
        }
        #expect(try shop.scanned().titles == ["a", "b", "c", "d"].flatMap { ["\($0) one", "\($0) two"] })
    }

    @Test("the first of several sheets counts, and a sheet that gives each file one track changes nothing")
    func several() throws {
        try shop.flac("a/disc.flac")
        try shop.write(sheet(["First", "Second"]), "a/1.cue")
        try shop.write(sheet(["Other", "Another", "Third"]), "a/2.cue")
        try shop.flac("b/1.flac", ["TITLE": "Tagged one"])
        try shop.flac("b/2.flac", ["TITLE": "Tagged two"])
        let both = sheet(["A"], file: "1.flac") + sheet(["B"], file: "2.flac")
        try shop.write(both, "b/list.cue")
        #expect(try shop.scanned().titles == ["First", "Second", "Tagged one", "Tagged two"])
    }

    @Test("a sheet in a file's tags is followed, whatever it calls the file")
    func embedded() throws {
        let text = String(decoding: sheet(["One", "Two"], file: "CDImage.wav"), as: UTF8.self)
        try shop.flac("disc.flac", ["TITLE": "All", "CUESHEET": text])
        let library = try shop.scanned()
        #expect(library.titles == ["One", "Two"])
        #expect(library.scan().progress.read == 0)
        // One beside it says more.
        try shop.write(sheet(["Un", "Deux", "Trois"]), "disc.cue")
        library.scan()
        #expect(library.titles == ["Deux", "Trois", "Un"])
        try shop.remove("disc.cue")
        library.scan()
        #expect(library.titles == ["One", "Two"])
    }

    @Test("clients' notes stay with their track, and go with it")
    func stickers() throws {
        try shop.flac("a.flac", ["TITLE": "One"])
        try shop.flac("b.flac", ["TITLE": "Two"])
        let library = try shop.scanned()
        let ids = try library.tracks(LibraryPage()).map(\.id).sorted()
        for (number, id) in ids.enumerated() {
            _ = try library.answer(.sticker(id: id, name: "rating", value: "\(number)"))
        }
        _ = try library.answer(.sticker(id: ids[0], name: "mood", value: "calm"))
        #expect(try library.answer(.stickers(.track(ids[0]))).stickers?.map(\.value) == ["calm", "0"])
        let named = try library.answer(.stickers(.named("rating", after: 0, limit: 1)))
        #expect(named.stickers?.map(\.id) == [ids[0]] && named.more == true)
        #expect(
            try library.answer(.stickers(.named("rating", after: ids[0], limit: 9))).stickers?.map(\.value) == ["1"])
        #expect(throws: LibraryError.noSuchTrack(99)) { try library.answer(.sticker(id: 99, name: "a", value: "b")) }
        #expect(throws: LibraryError.self) {
            try library.answer(.sticker(id: ids[0], name: "long", value: String(repeating: "x", count: 5_000)))
        }
        #expect(throws: LibraryError.self) {
            for number in 0...LibraryLimits.stickers {
                _ = try library.answer(.sticker(id: ids[1], name: "n\(number)", value: ""))
            }
        }
        let first = try #require(try library.track(ids[0])).path
        try shop.move(String(first.suffix(6)), to: "x/c.flac")
        library.scan()
        #expect(try library.answer(.stickers(.track(ids[0]))).stickers?.count == 2)
        _ = try library.answer(.sticker(id: ids[0], name: "mood", value: nil))
        #expect(try library.answer(.stickers(.track(ids[0]))).stickers?.count == 1)
        #expect(throws: LibraryError.self) { try library.answer(.sticker(id: ids[0], name: "mood", value: nil)) }
        try shop.remove("x")
        library.scan()
        #expect(try library.answer(.stickers(.named("rating", after: 0, limit: 9))).stickers?.map(\.id) == [ids[1]])
    }
}

@Suite("Measured loudness in a library")
struct MeasuredTests {
    let shop: MusicShop

    init() throws { shop = try MusicShop() }

    @Test("it stays with a file that is moved, and goes when the file changes")
    func keeping() throws {
        try shop.flac("a/1.flac", ["TITLE": "One", "ALBUM": "First"])
        try shop.flac("a/2.flac", ["TITLE": "Two", "ALBUM": "First", "REPLAYGAIN_TRACK_GAIN": "-6 dB"])
        try shop.flac("b.flac", ["TITLE": "Tagged", "REPLAYGAIN_TRACK_GAIN": "-3 dB"])
        let library = try shop.scanned()
        // An album is measured as a whole.
        let unknown = try library.unmeasured()
        #expect(unknown.map(\.count) == [2])
        let inputs = try library.inputs(of: unknown[0])
        let loudness = TrackLoudness(track: .init(integrated: -12, peak: -1), album: .init(integrated: -13))
        for input in inputs {
            let file = try #require(FileStamp(of: input.uri))
            #expect(try library.measured(input) == nil)
            try library.noteMeasured(input, file, loudness)
            #expect(try library.measured(input) == loudness)
        }
        #expect(try library.unmeasured().isEmpty)
        let tagged = try #require(try library.search("tagged").tracks.first)
        #expect(try tagged.loudness?.track?.integrated == -15 && library.measured(tagged.input) == nil)

        try shop.move("a", to: "c")
        library.scan()
        let moved = try #require(try library.search("one").tracks.first)
        #expect(try library.measured(moved.input) == loudness && moved.loudness == loudness)

        try shop.flac("c/1.flac", ["TITLE": "One", "ALBUM": "First", "COMPOSER": "X"])
        // Not even before the library knows of it.
        #expect(try library.measured(moved.input) == nil)
        library.scan()
        #expect(try library.unmeasured().map(\.count) == [2])
    }
}
