import Foundation
import Logging
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiLibrary
import TuttiSchema
import TuttiSender
import TuttiStore

/// What a house says of its music library and its playlists.
@Suite(.repeatedWhenDisturbed) struct LibraryRequestTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tutti-house-library-\(UUID().uuidString)")
    private let store: HouseStore
    private let library: HouseLibrary
    private let house: House

    init() throws {
        store = try HouseStore(directory: folder.appendingPathComponent("state").path)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = try HouseConfiguration(store: store, clock: HostClock(), logger: logger)
        configuration.network = .paper(rooms: ["kitchen"], files: ["/none.flac"])
        library = configuration.library
        house = House(configuration)
    }

    private func answer(_ command: ControlRequest.Command, group: String? = nil) async -> ControlResponse {
        await house.answer(ControlRequest(command, group: group)).response
    }

    private func ask(_ command: ControlRequest.LibraryCommand) async -> ControlResponse {
        await answer(.library(command))
    }

    /// Makes a library of two albums.
    private func fill() throws -> LibraryStore {
        let music = folder.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        let made = try LibraryStore(directory: folder.appendingPathComponent("state").path)
        try made.fill(folder: music.path, albums: 2) { album in
            (0..<2).map { track in
                var tags = AssetTags()
                (tags.title, tags.artist, tags.album) = ("Song \(album) \(track)", "Somebody", "Album \(album)")
                tags.duration = MediaTime(frame: album == 0 ? 3_600 : 60, sampleRate: 1)
                return tags
            }
        }
        return made
    }

    @Test("where nobody has made a library, lists are empty and nothing is made")
    func nothing() async {
        #expect(await ask(.statistics).library?.statistics == LibraryListing.Statistics())
        #expect(await ask(.search("a", LibrarySpan())).library?.tracks == [])
        for what in LibraryList.allCases {
            let listing = await ask(.list(what, by: .artist, LibrarySpan())).library
            #expect(listing?.more == false, "\(what)")
        }
        #expect(await ask(.album(1)).exitCode == 3)
        #expect(await ask(.name(1, LibrarySpan())).exitCode == 3)
        #expect(await ask(.scan).exitCode == 3)
        #expect(await ask(.favourite(true, ids: [1], inputs: [])).exitCode == 3)
        #expect(!library.exists)
    }

    @Test("what the library has is answered while something else uses it")
    func reading() async throws {
        let other = try fill()
        #expect(await ask(.statistics).library?.statistics?.tracks == 4)
        let found = await ask(.search("song 1", LibrarySpan()))
        #expect(found.ok && found.library?.tracks?.count == 3)
        let albums = await ask(.list(.albums, by: .title, LibrarySpan(limit: 1))).library
        #expect(albums?.albums?.map(\.title) == ["Album 0"] && albums?.more == true)
        #expect(await ask(.album(99)).exitCode == 3)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask { await self.ask(.search("so", LibrarySpan())).library?.tracks?.count == 4 }
            }
            for await isWhole in group { #expect(isWhole) }
        }
        withExtendedLifetime(other) {}
    }

    @Test("favourites are marked by ids and by what inputs mean, and watchers are told")
    func favourites() async throws {
        let other = try fill()
        defer { withExtendedLifetime(other) {} }
        var events = await house.watchAll().events?.makeAsyncIterator()
        let tracks = try #require(await ask(.list(.tracks, by: .title, LibrarySpan())).library?.tracks)
        let marked = await ask(.favourite(true, ids: [tracks[0].id], inputs: []))
        #expect(marked.library?.tracks?.map(\.favourite) == [true])
        #expect(await events?.next()?.kind == .changed(.library))
        let album = await ask(.favourite(true, ids: [], inputs: [ControlInput(uri: "album:Album 1")]))
        #expect(album.library?.tracks?.count == 2)
        #expect(await ask(.list(.favourites, by: .title, LibrarySpan())).library?.tracks?.count == 3)
        #expect(await ask(.favourite(true, ids: [], inputs: [ControlInput(uri: "/none.flac")])).exitCode == 3)
        #expect(await ask(.favourite(true, ids: [], inputs: [])).exitCode == 5)
        #expect(await ask(.favourite(false, ids: tracks.map(\.id), inputs: [])).library?.tracks?.count == 4)
        #expect(await ask(.list(.favourites, by: .title, LibrarySpan())).library?.tracks == [])
    }

    // MARK: Resuming

    @Test("an order for a long track begins where that was left, unless it says where")
    func resuming() async throws {
        let made = try fill()
        defer { withExtendedLifetime(made) {} }
        let tracks = try made.tracks(LibraryPage())
        let (long, short) = (try #require(tracks.first), try #require(tracks.last))
        for track in [long, short] { try made.setResume(track.id, at: MediaTime(seconds: 600, preferredTimescale: 1)) }
        var order = PlayOrder(inputs: [ControlInput(uri: long.path)])
        let resumed = await house.resumed(order)
        #expect(resumed.order.startAt == "600" && resumed.notice == "\(long.title): resumes at 10:00")
        order.startAt = "0"
        #expect(await house.resumed(order).order == order)
        order = PlayOrder(inputs: [ControlInput(uri: short.path)])
        #expect(await house.resumed(order).order == order)
        order = PlayOrder(inputs: [ControlInput(uri: long.path, start: [1, 75])])
        #expect(await house.resumed(order).order == order)
        order = PlayOrder(inputs: [ControlInput(uri: "/none.flac")])
        #expect(await house.resumed(order).order == order)
        try made.setResume(long.id, at: nil)
        order = PlayOrder(inputs: [ControlInput(uri: long.path)])
        #expect(await house.resumed(order).notice == nil)
    }

    // MARK: Playlists

    @Test("playlists are kept, edited, and mean their tracks")
    func playlists() async throws {
        let (one, two) = (ControlInput(uri: "/1.flac", title: "One"), ControlInput(uri: "/2.flac"))
        #expect(await answer(.playlist(.set("Dinner", [one]))).playlists?.map(\.tracks) == [1])
        #expect(await answer(.playlist(.add("DINNER", [two, one], at: nil))).playlists?.map(\.tracks) == [3])
        #expect(await answer(.playlist(.move("dinner", from: 1, to: 0))).ok)
        #expect(await answer(.playlist(.show("dinner"))).playlists?.first?.inputs == [two, one, one])
        #expect(await answer(.playlist(.delete("dinner", entries: [1, 2]))).ok)
        #expect(try NamedInputs(store: store).resolve([ControlInput(uri: "playlist:dinner")]) == [two])
        #expect(await answer(.playlist(.rename("dinner", to: "Supper"))).playlists?.map(\.name) == ["Supper"])
        #expect(await answer(.playlist(.remove("supper"))).playlists == [])
    }

    @Test("what makes no sense of playlists is refused, and changes nothing")
    func refusals() async throws {
        let song = ControlInput(uri: "/1.flac")
        _ = await answer(.playlist(.set("a", [song])))
        _ = await answer(.playlist(.set("b", [song])))
        let refused: [(ControlRequest.PlaylistCommand, Int32)] = [
            (.set("", [song]), 2), (.set("a\nb", [song]), 2), (.set(String(repeating: "a", count: 101), []), 2),
            (.set("c", [ControlInput(uri: "relative.flac")]), 2), (.set("c", [ControlInput(uri: "-")]), 2),
            (.set("c", [ControlInput(uri: "playlist:a")]), 2), (.add("a", [song], at: 2), 3),
            (.add("a", [song], at: -1), 3), (.delete("a", entries: [1]), 3), (.move("a", from: 0, to: 1), 3),
            (.show("none"), 3), (.remove("none"), 3), (.rename("none", to: "c"), 3), (.save("c"), 5),
            (.set("c", [ControlInput(uri: "/" + String(repeating: "a", count: 5_000))]), 2),
        ]
        for (command, code) in refused {
            #expect(await answer(.playlist(command)).exitCode == code, "\(command)")
        }
        #expect(await answer(.playlist(.rename("a", to: "B"))).ok == false)
        #expect(try store.playlists().map(\.name) == ["a", "b"])
        #expect(try store.playlist("a") == [song])
    }

    @Test("a queue that waits is kept with its parts of files, and watchers are told")
    func saving() async throws {
        var order = PlayOrder(inputs: [])
        order.rooms = ["kitchen"]
        let part = ControlInput(uri: "/none.flac", title: "Part", start: [1, 75], end: [2, 75])
        #expect(await answer(.player(.add([part, ControlInput(uri: "/none.flac")], place: order))).ok)
        var events = await house.watchAll().events?.makeAsyncIterator()
        #expect(await answer(.playlist(.save("kept"))).playlists?.map(\.tracks) == [2])
        #expect(await events?.next()?.kind == .changed(.playlists))
        #expect(try store.playlist("kept")?.first == part)
        #expect(await answer(.playlist(.save("kept too")), group: "kitchen").ok)
    }
}
