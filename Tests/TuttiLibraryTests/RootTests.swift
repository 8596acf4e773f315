import Foundation
import Glibc
import Testing
import TuttiLibrary

@Suite("Folders of a library")
struct RootTests {
    let shop: MusicShop

    init() throws { shop = try MusicShop() }

    @Test("a folder is added once, and none inside or around it")
    func overlap() throws {
        try shop.flac("a/1.flac")
        let library = try shop.library()
        let first = try library.add(shop.music.path + "/").root
        #expect(try library.add(shop.music.path).root == first)
        symlink(shop.music.path, shop.folder.path + "/link")
        #expect(try library.add(shop.folder.path + "/link").root == first)
        #expect(throws: LibraryError.overlaps(shop.path("a"), root: shop.music.path)) {
            try library.add(shop.path("a"))
        }
        #expect(throws: LibraryError.overlaps(shop.folder.path, root: shop.music.path)) {
            try library.add(shop.folder.path)
        }
        #expect(throws: LibraryError.self) { try library.add(shop.path("none")) }
        #expect(throws: LibraryError.self) { try library.add("") }
        #expect(throws: LibraryError.self) { try library.add(shop.path("a/1.flac")) }
    }

    @Test("a folder that was renamed is found again, with all that is known of it")
    func renamed() throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        let library = try shop.scanned()
        let id = try #require(try library.tracks(LibraryPage()).first?.id)
        try library.setFavourite(id, true)
        let other = shop.folder.path + "/elsewhere"
        rename(shop.music.path, other)
        let (root, from) = try library.add(other)
        #expect(from == shop.music.path)
        #expect(root.path == other && root.trackCount == 1)
        #expect(try library.favourites(LibraryPage()).first?.path == other + "/a/1.flac")
        #expect(library.scan().progress.read == 0)
    }

    @Test("a folder that was copied to another disk is found again by its files")
    func copied() throws {
        for index in 0..<12 { try shop.flac("a/\(index).flac", ["TITLE": "\(index)"], picture: 10 + index) }
        let library = try shop.scanned()
        let other = shop.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: shop.music.path, toPath: other)
        try FileManager.default.removeItem(at: shop.music)
        #expect(try library.add(other).movedFrom == shop.music.path)
        #expect(try library.roots().count == 1)
        library.scan()
        #expect(try library.trackCount() == 12)
    }

    @Test("another folder does not take the place of one that is gone")
    func different() throws {
        for index in 0..<12 { try shop.flac("a/\(index).flac", ["TITLE": "\(index)"]) }
        let library = try shop.scanned()
        rename(shop.music.path, shop.folder.path + "/aside")
        let other = shop.folder.path + "/other"
        mkdir(other, 0o700)
        #expect(try library.add(other).movedFrom == nil)
        #expect(try library.roots().count == 2)
        #expect(try library.trackCount() == 12)
    }

    @Test("another disk in the place of a folder takes nothing away")
    func otherDisk() throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        let library = try shop.scanned()
        let aside = shop.folder.path + "/aside"
        rename(shop.music.path, aside)
        try shop.flac("b/2.flac", ["TITLE": "Other"])
        #expect(library.scan().trouble.map(\.kind) == [.goneRoot])
        #expect(library.titles == ["One"])
        rename(shop.music.path, shop.folder.path + "/other")
        // The same files on a disk that was copied.
        try FileManager.default.copyItem(atPath: aside, toPath: shop.music.path)
        #expect(library.scan().trouble.isEmpty)
        #expect(library.titles == ["One"])
        #expect(try library.roots().first?.isReachable == true)
    }

    @Test("moving by hand")
    func moveByHand() throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        let library = try shop.scanned()
        let other = shop.folder.path + "/other"
        #expect(throws: LibraryError.self) { try library.moveRoot(from: shop.music.path, to: other) }
        rename(shop.music.path, other)
        #expect(throws: LibraryError.noSuchRoot("/x")) { try library.moveRoot(from: "/x", to: other) }
        try library.moveRoot(from: shop.music.path, to: other)
        #expect(try library.tracks(LibraryPage()).first?.path == other + "/a/1.flac")
    }

    @Test("a folder that is removed takes its tracks, albums and names along; others stay")
    func remove() throws {
        try shop.flac("a/1.flac", ["TITLE": "One", "ARTIST": "Abba", "ALBUM": "First"])
        try shop.flac("b/2.flac", ["TITLE": "Two", "ARTIST": "Beck", "ALBUM": "Second"])
        let library = try shop.library()
        _ = try library.add(shop.path("a"))
        _ = try library.add(shop.path("b"))
        library.scan()
        #expect(try library.trackCount() == 2)
        try library.removeRoot(shop.path("a") + "/")
        #expect(library.titles == ["Two"])
        #expect(try library.names(.artist, LibraryPage()).map(\.name) == ["Beck"])
        #expect(try library.albums(LibraryPage()).map(\.title) == ["Second"])
        #expect(try library.search("abba").isEmpty)
        #expect(throws: LibraryError.self) { try library.removeRoot(shop.path("a")) }
    }
}
