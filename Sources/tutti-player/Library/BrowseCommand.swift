import ArgumentParser
import TuttiCommandLine
import TuttiSchema

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

    @Argument(help: "albums, artists, album-artists, composers, genres, years, tracks, added, played or favourites.")
    var what: LibraryList

    @Argument(help: "The name of one of them.") var name: [String] = []

    @Option(help: "The order of all albums: title, artist, year, added or played.")
    var by = LibraryOrder.artist

    @Option(help: ArgumentHelp("Skip so many entries.", valueName: "N"))
    var offset = 0

    @Option(help: ArgumentHelp("Show at most so many entries, 1 to 1000.", valueName: "N"))
    var limit = 100

    @Flag(help: "Print lines of JSON; see docs/json.md.")
    var json = false

    private var span: LibrarySpan { LibrarySpan(offset: offset, limit: limit) }

    func validate() throws {
        guard (1...LibrarySpan.longest).contains(limit) else { throw ValidationError("--limit takes 1 to 1000") }
        guard offset >= 0 else { throw ValidationError("--offset takes 0 or more") }
        guard name.isEmpty || ![.tracks, .added, .played, .favourites].contains(what) else {
            throw ValidationError("\(what.rawValue) takes no name")
        }
    }

    func run() throws {
        if name.isEmpty { return write(try LibrarySource.ask(.list(what, by: by, span))) }
        let text = name.joined(separator: " ")
        switch what {
        case .albums: try albums(called: text)
        case .years:
            guard let year = Int(text) else { throw ValidationError("\(text): not a year") }
            write(try LibrarySource.ask(.year(year, span)))
        case .composers: write(try LibrarySource.ask(.name(find(text), span)).tracks ?? [])
        case .artists, .albumArtists, .genres: write(try LibrarySource.ask(.name(find(text), span)).albums ?? [])
        case .tracks, .added, .played, .favourites: break
        }
    }

    private func find(_ text: String) throws -> Int64 {
        guard let name = try LibrarySource.ask(.find(what, name: text)).names?.first else {
            throw Failure("\(text): not in the library; try `tutti search`", exitCode: 3)
        }
        return name.id
    }

    private func albums(called title: String) throws {
        let albums = try LibrarySource.ask(.find(.albums, name: title)).albums ?? []
        guard !albums.isEmpty else {
            throw Failure("\(title): no such album in the library; try `tutti search`", exitCode: 3)
        }
        for album in albums {
            let tracks = try LibrarySource.ask(.album(album.id)).tracks ?? []
            if json {
                tracks.forEach { Terminal.write(json: $0) }
                continue
            }
            let lines = tracks.map { LibraryText.lineInAlbum($0, hasDiscs: album.discs > 1) }
            Terminal.write(([LibraryText.line(album)] + lines).joined(separator: "\n") + "\n")
        }
    }

    private func write(_ listing: LibraryListing) {
        write(listing.names ?? [])
        write(listing.albums ?? [])
        write(listing.tracks ?? [])
        for year in listing.years ?? [] {
            if json { Terminal.write(json: year) } else { write("  \(year.year)  \(LibraryText.tracks(year.tracks))") }
        }
    }

    private func write(_ albums: [LibraryListing.Album]) {
        for album in albums { if json { Terminal.write(json: album) } else { write(LibraryText.line(album)) } }
    }

    private func write(_ tracks: [LibraryListing.Track]) {
        for track in tracks { if json { Terminal.write(json: track) } else { write(LibraryText.line(track)) } }
    }

    private func write(_ names: [LibraryListing.Name]) {
        for name in names { if json { Terminal.write(json: name) } else { write(LibraryText.line(name)) } }
    }

    private func write(_ line: String) { Terminal.write(line + "\n") }
}

extension LibraryList: ExpressibleByArgument {}
extension LibraryOrder: ExpressibleByArgument {}
