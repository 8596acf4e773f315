import ArgumentParser
import TuttiCommandLine
import TuttiLibrary

/// `tutti browse`.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse", abstract: "Lists what is in the library.",
        discussion: """
            WHAT is one of these:
              albums [NAME]         all albums, or the tracks of those of this title
              artists [NAME]        whoever plays, or an artist's albums
              album-artists [NAME]  whom albums are filed under, or such an artist's albums
              composers [NAME]      composers, or a composer's tracks
              genres [NAME]         genres, or the albums of a genre
              years [YEAR]          years, or the albums of a year
              tracks                all tracks by title
              added, played         the tracks added last, the tracks played last
              favourites            your favourites

            Names ignore case and accents. A list comes in pages of --limit entries, from --offset on. Lines with a \
            `!` are in folders that can't be read now. If there is no such name, the exit status is 3.

            EXAMPLES
              tutti browse albums --by added --limit 10
              tutti browse artists miles davis
              tutti browse albums "Kind of Blue"
              tutti browse years 1959
            """)

    /// What is listed.
    enum What: String, CaseIterable, ExpressibleByArgument {
        case albums, artists, composers, genres, years, tracks, added, played, favourites
        case albumArtists = "album-artists"
    }

    /// The order of albums.
    enum Order: String, CaseIterable, ExpressibleByArgument {
        case title, artist, year, added, played

        var order: LibraryStore.AlbumOrder {
            switch self {
            case .title: .title
            case .artist: .artist
            case .year: .year
            case .added: .added
            case .played: .played
            }
        }
    }

    @Argument(help: "albums, artists, album-artists, composers, genres, years, tracks, added, played or favourites.")
    var what: What

    @Argument(help: "The name of one of them.") var name: [String] = []

    @Option(help: "The order of all albums: title, artist, year, added or played.")
    var by = Order.artist

    @Option(help: ArgumentHelp("Skip so many entries.", valueName: "N"))
    var offset = 0

    @Option(help: ArgumentHelp("Show at most so many entries, 1 to 1000.", valueName: "N"))
    var limit = 100

    @Flag(help: "Print lines of JSON; see docs/json.md.")
    var json = false

    private var page: LibraryPage { LibraryPage(offset: offset, limit: limit) }

    func validate() throws {
        guard (1...LibraryLimits.page).contains(limit) else { throw ValidationError("--limit takes 1 to 1000") }
        guard offset >= 0 else { throw ValidationError("--offset takes 0 or more") }
        guard name.isEmpty || ![.tracks, .added, .played, .favourites].contains(what) else {
            throw ValidationError("\(what.rawValue) takes no name")
        }
    }

    func run() throws {
        let library = try LibraryCommand.open()
        defer { library.close() }
        if name.isEmpty { return try all(in: library) }
        let text = name.joined(separator: " ")
        switch what {
        case .albums: try albums(called: text, in: library)
        case .years:
            guard let year = Int(text) else { throw ValidationError("\(text): not a year") }
            write(try library.albums(ofYear: year, page))
        case .composers: write(try library.tracks(of: find(.composer, text, in: library), page))
        case .artists: write(try library.albums(of: find(.artist, text, in: library), page))
        case .albumArtists: write(try library.albums(of: find(.albumArtist, text, in: library), page))
        case .genres: write(try library.albums(of: find(.genre, text, in: library), page))
        case .tracks, .added, .played, .favourites: break
        }
    }

    private func all(in library: LibraryStore) throws {
        switch what {
        case .albums: write(try library.albums(page, by: by.order))
        case .artists: write(try library.names(.artist, page))
        case .albumArtists: write(try library.names(.albumArtist, page))
        case .composers: write(try library.names(.composer, page))
        case .genres: write(try library.names(.genre, page))
        case .tracks: write(try library.tracks(page))
        case .added: write(try library.recentlyAdded(page))
        case .played: write(try library.recentlyPlayed(page))
        case .favourites: write(try library.favourites(page))
        case .years:
            for (year, count) in try library.years(page) {
                if json {
                    Terminal.write(json: YearLine(year: year, tracks: count))
                } else {
                    Terminal.write("  \(year)  \(LibraryText.tracks(count))\n")
                }
            }
        }
    }

    private struct YearLine: Encodable {
        var kind = "year"
        var year: Int
        var tracks: Int
    }

    private func find(_ kind: LibraryName.Kind, _ text: String, in library: LibraryStore) throws -> Int64 {
        guard let name = try library.name(kind, called: text) else {
            throw Failure("\(text): not in the library; try `tutti search`", exitCode: 3)
        }
        return name.id
    }

    private func albums(called title: String, in library: LibraryStore) throws {
        let albums = try library.albums(called: title)
        guard !albums.isEmpty else {
            throw Failure("\(title): no such album in the library; try `tutti search`", exitCode: 3)
        }
        for album in albums {
            let tracks = try library.tracks(ofAlbum: album.id)
            if json { tracks.forEach { Terminal.write(json: LibraryTrack.Line($0)) } }
            guard !json else { continue }
            let lines = tracks.map { LibraryText.lineInAlbum($0, hasDiscs: album.discCount > 1) }
            Terminal.write(([LibraryText.line(album)] + lines).joined(separator: "\n") + "\n")
        }
    }

    private func write(_ albums: [LibraryAlbum]) {
        for album in albums {
            if json { Terminal.write(json: LibraryAlbum.Line(album)) } else { write(LibraryText.line(album)) }
        }
    }

    private func write(_ tracks: [LibraryTrack]) {
        for track in tracks {
            if json { Terminal.write(json: LibraryTrack.Line(track)) } else { write(LibraryText.line(track)) }
        }
    }

    private func write(_ names: [LibraryName]) {
        for name in names {
            if json { Terminal.write(json: LibraryName.Line(name)) } else { write(LibraryText.line(name)) }
        }
    }

    private func write(_ line: String) { Terminal.write(line + "\n") }
}
