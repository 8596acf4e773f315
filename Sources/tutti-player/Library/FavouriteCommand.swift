import ArgumentParser
import Glibc
import TuttiCommandLine
import TuttiLibrary
import TuttiSchema
import TuttiSender

/// `tutti favourite`.
struct FavouriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite", abstract: "Marks tracks of the library that you like.",
        usage: """
            tutti favourite [--json]
            tutti favourite add|remove [INPUT…] [--group NAME]
            """,
        discussion: """
            `tutti favourite` alone lists your favourites, like `tutti browse favourites`.

            `add` marks what INPUT means: files, folders, album:NAME and its like. Without INPUT, it marks the track \
            that plays. `remove` takes the mark away. Only tracks of the library can be marked (`tutti help library`); \
            if one of them is not in it, nothing changes and the exit status is 3.

            EXAMPLES
              tutti favourite add
              tutti favourite add 'album:kind of blue'
              tutti favourite remove ~/Music/Bach/air.flac
            """,
        subcommands: [List.self, Add.self, Remove.self])

    @Flag(help: "Print lines of JSON; see docs/json.md.") var json = false

    func run() throws { try Self.list(isJSON: json) }

    static func list(isJSON: Bool) throws {
        var offset = 0
        while true {
            let span = LibrarySpan(offset: offset, limit: LibrarySpan.longest)
            let listing = try LibrarySource.ask(.list(.favourites, by: .title, span))
            for track in listing.tracks ?? [] {
                if isJSON { Terminal.write(json: track) } else { Terminal.write(LibraryText.line(track) + "\n") }
            }
            guard listing.more == true else { break }
            offset += span.limit
        }
    }

    /// Marks tracks, or takes their mark away: by the service or, where there is none, in the library itself.
    static func mark(_ isFavourite: Bool, _ arguments: [String], _ group: GroupOption) throws {
        let client = GroupOption.client
        let inputs = arguments.isEmpty ? [] : try KeptInputs.resolve(arguments, keepsNames: client.isService == true)
        let tracks: [LibraryListing.Track]
        if client.isService == true {
            let request = ControlRequest(.library(.favourite(isFavourite, ids: [], inputs: inputs)), group: group.name)
            tracks = try client.ask(request, within: 60).library?.tracks ?? []
        } else {
            let files = try inputs.isEmpty ? [current(group)] : inputs.map { LibraryFile($0) }
            let library = try LibraryCommand.open()
            defer { library.close() }
            tracks = try library.markFavourites(files.map(withoutLinks), isFavourite)
        }
        guard arguments.isEmpty, let track = tracks.first else { return }
        Terminal.write("\(track.title): \(isFavourite ? "a favourite" : "no favourite any more")\n")
    }

    private static func withoutLinks(_ file: LibraryFile) -> LibraryFile {
        guard let real = realpath(file.path, nil) else { return file }
        defer { free(real) }
        return LibraryFile(path: String(cString: real), start: file.start)
    }

    /// What a player in the foreground plays.
    private static func current(_ group: GroupOption) throws -> LibraryFile {
        guard let item = try GroupOption.client.statuses(of: group.name).first?.item else {
            throw Failure("nothing is playing; name what you like", exitCode: 5)
        }
        return LibraryFile(path: item.uri, start: item.start)
    }
}

extension FavouriteCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists your favourites.")

        @Flag(help: "Print lines of JSON; see docs/json.md.") var json = false

        // The parent command may consume options after `list`.
        @ParentCommand var favourite: FavouriteCommand

        func run() throws { try FavouriteCommand.list(isJSON: json || favourite.json) }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Marks tracks; without INPUT, the one that plays.")

        @Argument(help: "What to mark, as `tutti play` takes it.", completion: .file()) var input: [String] = []
        @OptionGroup var group: GroupOption

        func run() throws { try FavouriteCommand.mark(true, input, group) }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes the mark away; without INPUT, from the track that plays.")

        @Argument(help: "What to unmark, as `tutti play` takes it.", completion: .file()) var input: [String] = []
        @OptionGroup var group: GroupOption

        func run() throws { try FavouriteCommand.mark(false, input, group) }
    }
}
