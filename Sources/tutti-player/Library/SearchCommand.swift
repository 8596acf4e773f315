import ArgumentParser
import TuttiCommandLine
import TuttiSchema

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
        guard (1...LibrarySpan.longest).contains(limit) else { throw ValidationError("--limit takes 1 to 1000") }
    }

    func run() throws {
        let found = try LibrarySource.ask(.search(words.joined(separator: " "), LibrarySpan(limit: limit)))
        let (artists, albums, tracks) = (found.names ?? [], found.albums ?? [], found.tracks ?? [])
        guard !artists.isEmpty || !albums.isEmpty || !tracks.isEmpty else {
            throw Failure("nothing found", exitCode: 3)
        }
        if json {
            artists.forEach { Terminal.write(json: $0) }
            albums.forEach { Terminal.write(json: $0) }
            tracks.forEach { Terminal.write(json: $0) }
        } else if paths {
            tracks.forEach { Terminal.write($0.path + "\n") }
        } else {
            write("Artists", artists.map(LibraryText.line))
            write("Albums", albums.map(LibraryText.line))
            write("Tracks", tracks.map(LibraryText.line))
        }
    }

    private func write(_ heading: String, _ lines: [String]) {
        guard !lines.isEmpty else { return }
        Terminal.write(([heading] + lines).joined(separator: "\n") + "\n")
    }
}
