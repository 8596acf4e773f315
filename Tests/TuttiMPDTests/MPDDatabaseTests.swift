import Synchronization
import Testing
import TuttiMPD
import TuttiSchema

/// A library of a few songs.
private struct FakeLibrary: MPDLibrary {
    let all: [MPDSong]
    private let notes = Notes()

    private final class Notes: Sendable {
        let all = Mutex<[String: [String: String]]>([:])
    }

    init() {
        func song(_ uri: String, _ tags: [MPDTag: [String]], _ duration: Double) -> MPDSong {
            var song = MPDSong(uri: uri)
            (song.tags, song.duration, song.modified) = (tags, duration, 1_700_000_000)
            return song
        }
        all = [
            song("bach/1.flac", [.artist: ["Bach"], .album: ["Suites"], .title: ["Air"], .track: ["10"]], 61.5),
            song("bach/2.flac", [.artist: ["Bach"], .album: ["Suites"], .title: ["Gigue"], .track: ["9"]], 30),
            song(
                "pop/x.mp3",
                [.artist: ["Björk", "Guest"], .albumArtist: ["Björk"], .album: ["Début"], .title: ["X's"]],
                100),
        ]
    }

    func entries(in folder: String) -> [MPDLibraryEntry]? {
        switch folder {
        case "": [.folder("bach", modified: 0), .folder("pop", modified: nil)]
        case "bach", "pop": all.filter { $0.uri.hasPrefix(folder + "/") }.map { .song($0) }
        default: nil
        }
    }

    func songs(matching filter: MPDFilter) -> [any MPDTagged] { all.filter { filter.matches($0) } }
    func song(at path: String) -> MPDSong? { all.first { $0.uri == path } }
    func song(playing uri: String, start: Double?) -> MPDSong? { all.first { "/music/" + $0.uri == uri } }
    func stickers(of path: String) throws(MPDFault) -> [(name: String, value: String)] {
        guard song(at: path) != nil else { throw MPDFault(.noSuchThing, "No such song") }
        return notes.all.withLock { $0[path] ?? [:] }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    func setSticker(of path: String, _ name: String?, to value: String?) throws(MPDFault) {
        guard song(at: path) != nil else { throw MPDFault(.noSuchThing, "No such song") }
        notes.all.withLock { notes in
            if let name { notes[path, default: [:]][name] = value } else { notes[path] = nil }
        }
    }
    func stickers(named name: String, in folder: String) throws(MPDFault) -> [(path: String, value: String)] {
        let found = notes.all.withLock { $0.compactMapValues { $0[name] } }
        return found.filter { folder.isEmpty || $0.key.hasPrefix(folder + "/") }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }
    func input(for song: MPDSong) -> ControlInput { ControlInput(uri: "/music/" + song.uri) }
    func playlists() -> [(name: String, modified: Int64)] { [("evening", 1_700_000_000)] }
    func inputs(ofPlaylist name: String) -> [ControlInput]? {
        name == "evening" ? [all[2], all[0]].map(input) : nil
    }
    func song(for input: ControlInput) -> MPDSong { song(playing: input.uri, start: nil) ?? MPDSong(uri: input.uri) }

    func statistics() -> MPDLibraryStatistics {
        var statistics = MPDLibraryStatistics()
        (statistics.songs, statistics.albums, statistics.artists, statistics.duration) = (3, 2, 3, 191.5)
        return statistics
    }

    func update(_ path: String, rescans: Bool) -> Int? { 7 }
}

/// The library's commands.
@Suite struct MPDDatabaseTests {
    private func client() -> TestClient { TestClient(MPDCommander(FakeHouse(), library: FakeLibrary())) }

    private func files(_ line: String) -> [String] {
        var client = client()
        return client.ask(line).filter { $0.hasPrefix("file: ") }.map { String($0.dropFirst(6)) }
    }

    @Test("songs are found by filters, exactly or not")
    func finding() {
        #expect(files(#"find "(Artist == 'Bach')""#) == ["bach/1.flac", "bach/2.flac"])
        #expect(files("find artist bach") == [])
        #expect(files("search artist BJORK") == ["pop/x.mp3"])
        #expect(files(#"find "((Artist == 'Bach') AND (Title == 'Gigue'))""#) == ["bach/2.flac"])
        #expect(files(#"find "((Artist == 'Bach') AND (!(Title == 'Gigue')))""#) == ["bach/1.flac"])
        #expect(files(#"find "(Title != 'Gigue')""#) == ["bach/1.flac", "pop/x.mp3"])
        #expect(files(#"find "(AlbumArtist == 'Bach')""#).count == 2)
        #expect(files(#"find "(Title == \"X\\'s\")""#) == ["pop/x.mp3"])
        #expect(files(#"find "(base 'bach')""#).count == 2 && files("find base bach/").count == 2)
        #expect(files(#"find "(file == 'bach/2.flac')""#) == ["bach/2.flac"])
        #expect(files(#"find "(modified-since '2023-11-14T22:13:20Z')""#).count == 3)
        #expect(files(#"find "(modified-since '2023-11-14T22:13:21Z')""#).isEmpty)
        #expect(files(#"search "(any contains 'gI')""#) == ["bach/2.flac"])
        #expect(files(#"find "(Artist == 'Bach')" sort Track"#) == ["bach/2.flac", "bach/1.flac"])
        #expect(files(#"find "(Artist == 'Bach')" sort -Track window 1:2"#) == ["bach/2.flac"])
    }

    @Test(
        "what is no filter is refused",
        arguments: [
            #"find "(artist""#, #"find "(artist == Bach)""#, #"find "(artist == 'Bach)""#, #"find "(nothing == 'a')""#,
            #"find "((artist == 'a') OR (artist == 'b'))""#, #"find "(artist =~ 'a')""#, #"find "(artist == 'a') x""#,
            "find artist", #"find "(artist == 'a')" sort"#, #"find "(artist == 'a')" window 2:1"#,
            "find \"" + String(repeating: "(", count: 40) + "\"",
        ])
    func faults(line: String) {
        var client = client()
        #expect(client.ask(line).first?.hasPrefix("ACK [2@0] {find}") == true)
    }

    @Test("songs are counted and listed by tags")
    func listing() {
        var client = client()
        #expect(client.ask("count artist Bach") == ["songs: 2", "playtime: 91", "OK"])
        #expect(
            client.ask(#"count "(base '')" group album"#) == [
                "Album: Début", "songs: 1", "playtime: 100", "Album: Suites", "songs: 2", "playtime: 91", "OK",
            ])
        #expect(client.ask("list artist") == ["Artist: Bach", "Artist: Björk", "Artist: Guest", "OK"])
        #expect(client.ask("list album Bach") == ["Album: Suites", "OK"])
        #expect(client.ask("list album artist Bach") == ["Album: Suites", "OK"])
        #expect(
            client.ask("list title group artist").prefix(3) == ["Artist: Bach", "Title: Air", "Title: Gigue"])
        #expect(client.ask("list nothing").first?.hasPrefix("ACK [2@0]") == true)
        #expect(client.values("stats")["songs"] == "3" && client.values("stats")["db_playtime"] == "191")
    }

    @Test("folders are browsed")
    func browsing() {
        var client = client()
        #expect(
            client.ask("lsinfo") == [
                "directory: bach", "Last-Modified: 1970-01-01T00:00:00Z", "directory: pop", "playlist: evening",
                "Last-Modified: 2023-11-14T22:13:20Z", "OK",
            ])
        #expect(client.ask("lsinfo bach/").contains("Last-Modified: 2023-11-14T22:13:20Z"))
        #expect(client.ask("lsinfo pop").contains("duration: 100.000"))
        #expect(client.ask("listall").filter { $0.hasPrefix("file: ") }.count == 3)
        #expect(client.ask("listall bach") == ["file: bach/1.flac", "file: bach/2.flac", "OK"])
        #expect(client.ask("lsinfo nowhere") == ["ACK [50@0] {lsinfo} No such directory"])
        #expect(client.ask("lsinfo /etc/passwd") == ["ACK [50@0] {lsinfo} No such song"])
        #expect(client.ask("update") == ["updating_db: 7", "OK"])
    }

    @Test("songs of the library are added by their names, and shown by them")
    func adding() {
        var client = client()
        client.ask("add bach")
        client.ask("findadd title X's")
        #expect(client.ask("searchadd title x's position 0") == ["ACK [5@0] {} Invalid unquoted character"])
        client.ask("searchadd title \"x's\" position 0")
        client.ask("load evening")
        #expect(
            client.ask("playlist").dropLast().map { String($0.drop { $0 != " " }.dropFirst()) } == [
                "pop/x.mp3", "bach/1.flac", "bach/2.flac", "pop/x.mp3", "bach/1.flac",
            ])
        #expect(client.ask("playlistinfo 1").contains("Track: 10"))
        #expect(client.ask("listplaylists") == ["playlist: evening", "Last-Modified: 2023-11-14T22:13:20Z", "OK"])
        #expect(client.ask("listplaylist evening 1:") == ["file: bach/1.flac", "OK"])
        client.ask("save morning")
        #expect(client.ask("save evening") == ["ACK [56@0] {save} Playlist already exists"])
        #expect(client.ask("rm morning") == ["ACK [50@0] {rm} No such playlist"])
        #expect(client.ask("playlistdelete evening 0:2") == ["OK"])
        #expect(client.ask("playlistdelete evening 2") == ["ACK [2@0] {playlistdelete} Bad song index"])
        #expect(client.ask("load morning") == ["ACK [50@0] {load} No such playlist"])
    }

    @Test("clients note things of songs")
    func stickers() {
        var client = client()
        #expect(client.ask(#"sticker set song bach/1.flac rating 4"#) == ["OK"])
        #expect(client.changes == [MPDChange(.sticker)])
        client.ask("sticker set song bach/2.flac rating 12")
        client.ask(#"sticker set song bach/2.flac mood "a = b""#)
        #expect(client.ask("sticker get song bach/1.flac rating") == ["sticker: rating=4", "OK"])
        #expect(client.ask("sticker list song bach/2.flac") == ["sticker: mood=a = b", "sticker: rating=12", "OK"])
        #expect(
            client.ask("sticker find song bach rating") == [
                "file: bach/1.flac", "sticker: rating=4", "file: bach/2.flac", "sticker: rating=12", "OK",
            ])
        #expect(client.ask("sticker find song pop rating") == ["OK"])
        #expect(client.ask(#"sticker find song "" rating = 12"#).first == "file: bach/2.flac")
        // As texts.
        #expect(client.ask("sticker find song bach rating < 4").first == "file: bach/2.flac")
        #expect(client.ask("sticker find song bach rating > 12").first == "file: bach/1.flac")
        client.ask("sticker delete song bach/2.flac mood")
        #expect(client.ask("sticker list song bach/2.flac") == ["sticker: rating=12", "OK"])
        client.ask("sticker delete song bach/2.flac")
        #expect(client.ask("sticker list song bach/2.flac") == ["OK"])
        #expect(client.ask("sticker get song bach/1.flac x") == ["ACK [50@0] {sticker} no such sticker"])
        #expect(client.ask("sticker get song none x") == ["ACK [50@0] {sticker} No such song"])
        #expect(client.ask("sticker get playlist evening x") == ["ACK [2@0] {sticker} unknown sticker domain"])
        #expect(client.ask("sticker find song bach rating ~ 4") == ["ACK [2@0] {sticker} bad operator"])
        #expect(client.ask("sticker do song bach/1.flac x") == ["ACK [2@0] {sticker} bad request"])
        #expect(client.ask(#"sticker set song bach/1.flac "a=b" 1"#).first?.hasPrefix("ACK [2@0]") == true)
        var reader = TestClient(MPDCommander(FakeHouse(), library: FakeLibrary()), permissions: .read)
        #expect(reader.ask("sticker set song bach/1.flac a 1").first?.hasPrefix("ACK [4@0] {sticker}") == true)
    }

    @Test("a long answer goes to the client in pieces, and ends when that takes no more")
    func pieces() {
        let pieces = Mutex<[Int]>([])
        let commander = MPDCommander(FakeHouse(), library: LongLibrary())
        let job = MPDJob(.one, [Array("listall".utf8)], of: MPDClient(number: 1, permissions: .all))
        let outcome = commander.run(job) { piece in
            pieces.withLock { $0.append(piece.count) }
            return true
        }
        let sizes = pieces.withLock { $0 }
        #expect(sizes.count > 1 && sizes.allSatisfy { $0 < MPDLimits.piece + 4_096 } && !outcome.closes)
        #expect(sizes.reduce(outcome.output.count, +) == LongLibrary.count * 107 + 3)
        #expect(outcome.output.suffix(3) == Array("OK\n".utf8))

        let first = Mutex(0)
        let short = commander.run(job) { _ in
            first.withLock { $0 += 1 }
            return false
        }
        #expect(first.withLock { $0 } == 1 && short.closes && short.output.isEmpty)
    }
}

/// A library with one folder of many songs.
private struct LongLibrary: MPDLibrary {
    static let count = 10_000
    private let none = EmptyMPDLibrary()

    func entries(in folder: String) -> [MPDLibraryEntry]? {
        (0..<Self.count).map { number in
            let name = "\(number + 10_000)"
            return .song(MPDSong(uri: name + String(repeating: "a", count: 100 - name.count)))
        }
    }
    func songs(matching filter: MPDFilter) -> [any MPDTagged] { [] }
    func song(at path: String) -> MPDSong? { nil }
    func song(playing uri: String, start: Double?) -> MPDSong? { nil }
    func input(for song: MPDSong) -> ControlInput { ControlInput(uri: song.uri) }
    func playlists() -> [(name: String, modified: Int64)] { [] }
    func inputs(ofPlaylist name: String) -> [ControlInput]? { nil }
    func song(for input: ControlInput) -> MPDSong { MPDSong(uri: input.uri) }
    func stickers(of path: String) throws(MPDFault) -> [(name: String, value: String)] { try none.stickers(of: path) }
    func setSticker(of path: String, _ name: String?, to value: String?) throws(MPDFault) {}
    func stickers(named name: String, in folder: String) throws(MPDFault) -> [(path: String, value: String)] { [] }
    func statistics() -> MPDLibraryStatistics { MPDLibraryStatistics() }
    func update(_ path: String, rescans: Bool) -> Int? { nil }
}
