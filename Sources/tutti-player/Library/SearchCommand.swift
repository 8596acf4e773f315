import ArgumentParser
import TuttiCommandLine
import TuttiLibrary

/// `tutti search`.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds artists, albums and tracks of the library.",
        discussion: """
            Each word is the beginning of one: `tutti search moz pia` finds Mozart's piano sonatas. All words must \
            match, in title, artist, album, album artist, composer, genre or work; case and accents do not matter. \
            What begins with your words comes first, then other titles, then albums and artists.

            If nothing is found, the exit status is 3. `tutti library` adds music.

            EXAMPLES
              tutti search miles
              tutti search kind of blue --limit 5
              tutti search --paths coltrane | head -3
            """)

    @Argument(help: "Words, or their beginnings.") var words: [String]

    @Option(help: ArgumentHelp("Show at most so many of each kind, 1 to 1000.", valueName: "N"))
    var limit = 20

    @Flag(help: "Print the paths of tracks only, a line each.")
    var paths = false

    @Flag(help: "Print lines of JSON; see docs/json.md.")
    var json = false

    func validate() throws {
        guard (1...LibraryLimits.page).contains(limit) else { throw ValidationError("--limit takes 1 to 1000") }
    }

    func run() throws {
        let library = try LibraryCommand.open()
        defer { library.close() }
        let found = try library.search(words.joined(separator: " "), limit: limit)
        guard !found.isEmpty else { throw Failure("nothing found", exitCode: 3) }
        if json {
            found.artists.forEach { Terminal.write(json: LibraryName.Line($0)) }
            found.albums.forEach { Terminal.write(json: LibraryAlbum.Line($0)) }
            found.tracks.forEach { Terminal.write(json: LibraryTrack.Line($0)) }
        } else if paths {
            found.tracks.forEach { Terminal.write($0.path + "\n") }
        } else {
            write("Artists", found.artists.map(LibraryText.line))
            write("Albums", found.albums.map(LibraryText.line))
            write("Tracks", found.tracks.map(LibraryText.line))
        }
    }

    private func write(_ heading: String, _ lines: [String]) {
        guard !lines.isEmpty else { return }
        Terminal.write(([heading] + lines).joined(separator: "\n") + "\n")
    }
}
