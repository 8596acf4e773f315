import Testing
import TuttiRooms
import TuttiSchema
import TuttiStore

@Suite("Playlists in the store") struct PlaylistStoreTests {
    private let folder = Folder()
    private let song = ControlInput(uri: "/a.flac", title: "A", start: [1, 75])

    @Test("what was kept is there again, in the order of names")
    func kept() throws {
        let first = try HouseStore(directory: folder.path)
        try first.setPlaylist("b", [song, song], at: 5)
        try first.setPlaylist("a", [], at: 6)
        first.close()
        let second = try HouseStore(directory: folder.path)
        let listings = try second.playlists()
        #expect(listings.map(\.name) == ["a", "b"] && listings.map(\.tracks) == [0, 2])
        #expect(listings.map(\.changed) == [6, 5] && listings.allSatisfy { $0.inputs == nil })
        #expect(try second.playlist("b") == [song, song])
        #expect(try second.playlist("c") == nil)
        try second.removePlaylist("b")
        #expect(try second.playlist("b") == nil)
    }

    @Test("there are limits")
    func limits() throws {
        let store = try HouseStore(directory: folder.path)
        let many = Array(repeating: song, count: HouseStore.mostTracks)
        try store.setPlaylist("long", many, at: 0)
        #expect(throws: SenderError.self) { try store.setPlaylist("longer", many + [song], at: 0) }
        #expect(throws: SenderError.self) {
            try store.editPlaylist("long", makes: false, at: 0) { $0.append(song) }
        }
        #expect(try store.playlist("long")?.count == many.count)
        for number in 1..<HouseStore.mostPlaylists { try store.setPlaylist("\(number)", [], at: 0) }
        #expect(throws: SenderError.self) { try store.setPlaylist("one more", [], at: 0) }
        try store.setPlaylist("1", [song], at: 1)
    }

    @Test("a damaged playlist is reported, and can be replaced")
    func damage() throws {
        let store = try HouseStore(directory: folder.path)
        try store.setPlaylist("a", [song], at: 0)
        try store.execute("UPDATE playlist SET content = x'00'")
        #expect(throws: SenderError.self) { try store.playlist("a") }
        #expect(try store.playlists().count == 1)
        try store.setPlaylist("a", [song], at: 0)
        #expect(try store.playlist("a") == [song])
    }
}
