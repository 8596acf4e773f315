import Testing
import TuttiMPD
import TuttiSchema

@Suite("A copy of the service's library") struct MPDCatalogueTests {
    private static func track(_ id: Int64, _ path: String, _ change: (inout LibraryListing.Track) -> Void = { _ in })
        -> LibraryListing.Track
    {
        var track = LibraryListing.Track(id: id, path: path, title: "Track \(id)")
        change(&track)
        return track
    }

    private let catalogue: MPDCatalogue

    init() {
        var catalogue = MPDCatalogue(roots: ["/srv/Music", "/home/Music", "/"])
        catalogue.take([
            Self.track(4, "/srv/Music/b/2.flac") { ($0.artist, $0.album, $0.year) = ("A; B", "Two", 1959) },
            Self.track(1, "/srv/Music/b/1.flac") { ($0.artist, $0.number, $0.duration) = ("B", 1, 61.5) },
            Self.track(2, "/srv/Music/b0.flac"),
            Self.track(3, "/srv/Music/b/c/d/3.flac"),
            Self.track(5, "/home/Music/x.flac") { $0.genre = "Jazz" },
            Self.track(6, "/elsewhere.flac"),
        ])
        catalogue.finish()
        self.catalogue = catalogue
    }

    private func names(_ folder: String) -> [String]? {
        catalogue.entries(in: folder)?.map { entry in
            switch entry {
            case .folder(let path, _): path + "/"
            case .song(let song): song.uri
            case .playlist(let path, _): path
            }
        }
    }

    @Test("folders of the same name are told apart, and lead to their files")
    func roots() {
        #expect(names("") == ["Music/", "Music (2)/", "music/"])
        #expect(catalogue.song(ofFile: "/srv/Music/b/1.flac")?.uri == "Music (2)/b/1.flac")
        #expect(catalogue.absolute("Music (2)/b/1.flac") == "/srv/Music/b/1.flac")
        #expect(catalogue.absolute("music/elsewhere.flac") == "/elsewhere.flac")
        #expect(catalogue.absolute("none/a") == nil && catalogue.absolute("") == nil)
    }

    @Test("a file with several tracks is a folder of them, and each plays as its part of the file")
    func parts() throws {
        var catalogue = MPDCatalogue(roots: ["/srv/Music"])
        catalogue.take([
            Self.track(1 << 40, "/srv/Music/a/disc.flac") { ($0.number, $0.start, $0.end) = (1, [0, 75], [80, 75]) },
            Self.track(1 << 40 + 1, "/srv/Music/a/disc.flac") { ($0.number, $0.start) = (2, [80, 75]) },
            Self.track(3, "/srv/Music/a/other.flac"),
        ])
        catalogue.finish()
        let uris = ["Music/a/disc.flac/track0001", "Music/a/disc.flac/track0002", "Music/a/other.flac"]
        #expect(catalogue.songs(matching: .base("Music/a")).map(\.uri) == uris)
        #expect(catalogue.entries(in: "Music/a")?.first == .folder("Music/a/disc.flac", modified: nil))
        #expect(catalogue.song(ofFile: "/srv/Music/a/disc.flac", start: 80.0 / 75)?.uri == uris[1])
        #expect(catalogue.song(ofFile: "/srv/Music/a/disc.flac", start: 0)?.uri == uris[0])
        #expect(catalogue.song(ofFile: "/srv/Music/a/disc.flac") == nil)
        let input = try #require(catalogue.song(at: uris[0]).flatMap(catalogue.input))
        #expect(input.uri == "/srv/Music/a/disc.flac" && input.start == [0, 75] && input.end == [80, 75])
        #expect(catalogue.id(of: uris[1]) == 1 << 40 + 1 && catalogue.id(of: "Music/a/disc.flac") == nil)
        #expect(catalogue.songs(of: [3, 1 << 40], in: "Music").map(\.path) == [uris[0], uris[2]])
        #expect(catalogue.songs(of: [3], in: "").count == 1 && catalogue.songs(of: [3], in: "Music/b").isEmpty)
    }

    @Test("a folder has folders, then songs, each once")
    func folders() {
        #expect(names("Music (2)") == ["Music (2)/b/", "Music (2)/b0.flac"])
        #expect(names("Music (2)/b") == ["Music (2)/b/c/", "Music (2)/b/1.flac", "Music (2)/b/2.flac"])
        #expect(names("Music (2)/b/c") == ["Music (2)/b/c/d/"])
        #expect(names("Music (2)/b0") == nil && names("none") == nil)
        #expect(catalogue.song(at: "Music (2)/b") == nil)
    }

    @Test("songs are found by their tags and by where they are")
    func filters() {
        func uris(_ filter: MPDFilter) -> [String] { catalogue.songs(matching: filter).map(\.uri) }
        #expect(
            uris(.text(.tag(.artist), .equal, "B", isExact: true)) == ["Music (2)/b/1.flac", "Music (2)/b/2.flac"])
        #expect(uris(.text(.any, .contains, "jaz", isExact: false)) == ["Music/x.flac"])
        #expect(uris(.all([.base("Music (2)/b"), .not(.base("Music (2)/b/c"))])).count == 2)
        #expect(uris(.base("Music (2)/b0.flac")) == ["Music (2)/b0.flac"])
        #expect(uris(.base("none")).isEmpty)
        #expect(uris(.all([])).count == 6)
        #expect(uris(.not(.base("Music (2)"))).count == 2)
    }

    @Test("songs have their tags, several artists as several")
    func tags() {
        let song = catalogue.song(at: "Music (2)/b/2.flac")
        #expect(song?.tags[.artist] == ["A", "B"] && song?.tags[.date] == ["1959"] && song?.tags[.album] == ["Two"])
        #expect(catalogue.song(at: "Music (2)/b/1.flac")?.duration == 61.5)
    }
}
