import Foundation
import Glibc
import Testing
import TuttiLibrary

@Suite("Scans of a library")
struct ScanTests {
    let shop: MusicShop

    init() throws { shop = try MusicShop() }

    @Test("new, changed and removed files, and those that stay are not read again")
    func changes() throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        try shop.flac("a/2.flac", ["TITLE": "Two"])
        try shop.flac("b/3.flac", ["TITLE": "Three"])
        try shop.write([1, 2, 3], "b/notes.txt")
        let library = try shop.scanned()
        #expect(library.titles == ["One", "Three", "Two"])

        var (progress, trouble) = library.scan()
        #expect(progress.found == 3)
        #expect(progress.read == 0)
        #expect(trouble.isEmpty)

        try shop.flac("a/1.flac", ["TITLE": "One again, which is longer"])
        try shop.remove("b")
        (progress, trouble) = library.scan()
        #expect(progress.read == 1)
        #expect(progress.removed == 1)
        #expect(library.titles == ["One again, which is longer", "Two"])
        #expect(try library.search("three").isEmpty)
        #expect(try library.search("again").tracks.count == 1)
    }

    @Test("a file without a title is called by its name")
    func nameless() throws {
        try shop.flac("01 - Untitled.flac")
        #expect(try shop.scanned().titles == ["01 - Untitled"])
    }

    @Test("what was played stays with a file that is moved or renamed")
    func moved() throws {
        try shop.flac("a/1.flac", ["TITLE": "One", "ALBUM": "First"])
        let library = try shop.scanned()
        let track = try #require(try library.tracks(LibraryPage()).first)
        try library.notePlayed(track.id, at: 1_000)
        try shop.move("a", to: "z/y")
        try shop.move("z/y/1.flac", to: "z/y/new.flac")
        let (progress, _) = library.scan()
        let moved = try #require(try library.tracks(LibraryPage()).first)
        #expect(progress.removed == 0)
        #expect(moved.id == track.id)
        #expect(moved.path == shop.path("z/y/new.flac"))
        #expect(moved.playCount == 1 && moved.lastPlayed == 1_000)
        #expect(try library.trackCount() == 1)
        #expect(try library.albums(LibraryPage()).count == 1)
    }

    @Test("a copy of a file is a track of its own")
    func copied() throws {
        try shop.flac("a.flac", ["TITLE": "One"])
        let library = try shop.scanned()
        link(shop.path("a.flac"), shop.path("b.flac"))
        library.scan()
        #expect(try library.trackCount() == 2)
    }

    @Test("a root that is gone, or an empty mount point, loses nothing")
    func goneRoot() throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        let library = try shop.scanned()
        let aside = shop.folder.path + "/aside"
        rename(shop.music.path, aside)
        var trouble = library.scan().trouble
        #expect(trouble.map(\.kind) == [.goneRoot])
        #expect(trouble.first?.description.contains("\n") == false)
        #expect(library.titles == ["One"])
        #expect(try library.tracks(LibraryPage()).first?.isReachable == false)

        mkdir(shop.music.path, 0o700)
        trouble = library.scan().trouble
        #expect(trouble.map(\.kind) == [.goneRoot])
        #expect(library.titles == ["One"])

        rmdir(shop.music.path)
        rename(aside, shop.music.path)
        #expect(library.scan().trouble.isEmpty)
        #expect(try library.tracks(LibraryPage()).first?.isReachable == true)
    }

    @Test("a folder that cannot be read loses nothing", .enabled(if: getuid() != 0))
    func unreadableFolder() throws {
        try shop.flac("a/b/1.flac", ["TITLE": "One"])
        try shop.flac("c/2.flac", ["TITLE": "Two"])
        let library = try shop.scanned()
        chmod(shop.path("a"), 0)
        defer { chmod(shop.path("a"), 0o700) }
        try shop.remove("c/2.flac")
        let (_, trouble) = library.scan()
        #expect(trouble.map(\.kind) == [.unreadableFolder])
        #expect(library.titles == ["One"])
    }

    @Test("links in circles, links to nowhere, hidden folders and names that are not UTF-8")
    func links() throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        try shop.flac(".hidden/2.flac", ["TITLE": "Hidden"])
        try shop.flac("a/.3.flac", ["TITLE": "Hidden"])
        symlink(shop.music.path, shop.path("a/around"))
        symlink(shop.path("a/self"), shop.path("a/self"))
        symlink("/nowhere/at/all", shop.path("a/nothing.flac"))
        let bad: [CChar] = Array(shop.path("a/").utf8CString.dropLast()) + [-1, -2, 0x2E, 0x6D, 0x70, 0x33, 0]
        close(creat(bad, 0o600))
        let library = try shop.scanned()
        #expect(library.titles == ["One"])
        let trouble = library.scan().trouble
        #expect(trouble.map(\.kind) == [.badName, .repeatedFolder])
    }

    @Test("folders inside each other without end")
    func depth() throws {
        let deep = (0..<80).map { "\($0)" }.joined(separator: "/")
        try shop.flac(deep + "/1.flac", ["TITLE": "Deep"])
        try shop.flac("1.flac", ["TITLE": "Shallow"])
        let library = try shop.library()
        _ = try library.add(shop.music.path)
        let trouble = library.scan().trouble
        #expect(trouble.map(\.kind) == [.tooMany])
        #expect(library.titles == ["Shallow"])
    }

    @Test("a thousand bad files are one line of each kind, and the rest goes on")
    func badFiles() throws {
        for index in 0..<300 { try shop.write(Array("no music \(index)".utf8), "bad/\(index).mp3") }
        for index in 0..<3 {
            try shop.write(MadeFile.flac(["TITLE": [0xE4, 0x20, UInt8(48 + index)]]), "odd/\(index).flac")
        }
        try shop.flac("good/huge.flac", ["TITLE": "Huge"], picture: 9 << 20)
        let library = try shop.library()
        _ = try library.add(shop.music.path)
        let (progress, trouble) = library.scan()
        #expect(progress.failed == 300)
        #expect(trouble.map(\.kind) == [.damagedFile, .guessedText, .hugeArtwork])
        #expect(trouble.map(\.count) == [300, 3, 1])
        #expect(library.titles == ["ä 0", "ä 1", "ä 2", "Huge"])
        // What has not changed is not said again.
        #expect(library.scan().trouble.isEmpty)
    }

    @Test("a file that is damaged later keeps its track")
    func laterDamage() throws {
        try shop.flac("1.flac", ["TITLE": "One"])
        let library = try shop.scanned()
        try shop.write(Array("half a file".utf8), "1.flac")
        #expect(library.scan().trouble.map(\.kind) == [.damagedFile])
        #expect(library.titles == ["One"])
    }

    @Test("a scan that is cancelled keeps what it has, and removes nothing")
    func cancelled() throws {
        for index in 0..<20 { try shop.flac("\(index)/1.flac", ["TITLE": "\(index)"]) }
        let library = try shop.scanned()
        try shop.remove("3")
        var isCancelled = false
        LibraryScan(library).run(isCancelled: { true }) { event in
            if case .finished(_, _, let cancelled) = event { isCancelled = cancelled }
        }
        #expect(isCancelled)
        #expect(try library.trackCount() == 20)
    }

    @Test("progress comes as a sequence, and its end says all")
    func sequence() async throws {
        for index in 0..<600 { try shop.flac("\(index % 30)/\(index).flac", ["TITLE": "\(index)"]) }
        let library = try shop.library()
        _ = try library.add(shop.music.path)
        var last: LibraryScan.Progress?
        for await event in LibraryScan(library).events() {
            switch event {
            case .progress(let progress): #expect(progress.read <= 600)
            case .finished(let progress, _, let isCancelled):
                #expect(!isCancelled)
                last = progress
            }
        }
        #expect(last?.read == 600)
        #expect(last?.folders == 31)
        #expect((last?.rate ?? 0) > 20)
    }

    @Test("names that differ in their bytes alone are two files")
    func composed() throws {
        try shop.flac("e\u{301}.flac", ["TITLE": "Apart"])
        try shop.flac("\u{E9}.flac", ["TITLE": "Whole"])
        let library = try shop.scanned()
        #expect(library.titles == ["Apart", "Whole"])
        #expect(library.scan().progress.read == 0)
    }
}
