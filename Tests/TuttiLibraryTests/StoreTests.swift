import Foundation
import GRDB
import Testing
import TuttiAssets
import TuttiLibrary

@Suite("The library's store")
struct StoreTests {
    let shop: MusicShop
    var file: String { shop.state + "/" + LibraryStore.fileName }

    init() throws { shop = try MusicShop() }

    private func fill(_ library: LibraryStore, albums: Int = 1) throws {
        try library.fill(folder: shop.music.path, albums: albums) { album in
            (0..<10).map { MadeTags.tags("Track \(album).\($0)", artist: "Artist \(album)", album: "Album \(album)") }
        }
    }

    @Test("what was stored is there when it is opened again, by several at once")
    func reopened() throws {
        let first = try shop.library()
        try fill(first)
        let second = try shop.library()
        #expect(try second.trackCount() == 10)
        first.close()
        #expect(throws: LibraryError.self) { try first.trackCount() }
        #expect(try second.search("track").tracks.count == 10)
    }

    @Test("a file that is no store is set aside, and a new one made")
    func garbage() throws {
        try FileManager.default.createDirectory(atPath: shop.state, withIntermediateDirectories: true)
        try Data("no database at all, but long enough".utf8).write(to: URL(filePath: file))
        let library = try shop.library()
        #expect(library.remarks.count == 1)
        #expect(library.remarks.first?.contains("renamed") == true)
        #expect(try library.trackCount() == 0)
    }

    @Test("what can be read of a damaged store is kept, and can be found")
    func damaged() throws {
        let library = try shop.library()
        try fill(library, albums: 300)
        let track = try #require(try library.tracks(LibraryPage()).first)
        try library.setFavourite(track.id, true)
        library.close()
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        let size = try handle.seekToEnd()
        for place in stride(from: size / 2, to: size, by: Int(size / 40)) {
            try handle.seek(toOffset: place / 4_096 * 4_096)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        }
        try handle.close()
        let doubtful = try shop.library()
        #expect(doubtful.scan().trouble.map(\.kind) == [.store])
        doubtful.close()
        let again = try shop.library()
        #expect(again.remarks.count == 2)
        #expect(try again.trackCount() > 100)
        _ = try again.search("track")
        _ = try again.albums(LibraryPage())
    }

    @Test("a newer version's store is set aside untouched")
    func newer() throws {
        let library = try shop.library()
        try fill(library)
        library.close()
        let database = try DatabaseQueue(path: file)
        try database.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('from the future')")
        }
        try database.close()
        let again = try shop.library()
        #expect(again.remarks.count == 1)
        #expect(again.remarks.first?.contains("newer") == true)
        #expect(try again.trackCount() == 0)
    }

    @Test("rows of the wrong kind are left out, and do no harm")
    func wrongRows() throws {
        let library = try shop.library()
        try fill(library)
        let database = try DatabaseQueue(path: file)
        try database.write { db in
            try db.execute(
                sql: """
                    UPDATE track SET duration = 'long', year = x'00', loudness = 1e300, playCount = 'many',
                        albumID = 'none', added = NULL_OR(added) WHERE id = 1
                    """.replacingOccurrences(of: "NULL_OR(added)", with: "'never'"))
            try db.execute(sql: "UPDATE track SET title = x'FF00' WHERE id = 2")
            try db.execute(sql: "UPDATE track SET duration = 9223372036854775807 WHERE id = 3")
            try db.execute(sql: "UPDATE album SET trackCount = 'x', year = 1e99")
        }
        try database.close()
        #expect(try library.tracks(LibraryPage()).count >= 9)
        #expect(try library.albums(LibraryPage()).count == 1)
        _ = try library.search("track")
    }

    @Test("texts are cut, made one line, and kept whole where they can be")
    func texts() throws {
        let long = String(repeating: "é", count: 5_000)
        let library = try shop.library()
        try library.fill(folder: shop.music.path, albums: 1) { _ in
            [
                MadeTags.tags(long, artist: "a\nb\u{1B}[31m\u{202E}c"), MadeTags.tags("\u{7}"),
                MadeTags.tags("  spaces  "),
            ]
        }
        let tracks = try library.recentlyAdded(LibraryPage()).sorted { $0.id < $1.id }
        #expect(tracks[0].title == String(repeating: "é", count: 512))
        #expect(tracks[0].artist == "ab[31mc")
        #expect(tracks[1].title == "1")
        #expect(tracks[2].title == "spaces")
    }
}
