import ArgumentParser
import Glibc
import TuttiCommandLine
import TuttiHost
import TuttiLibrary
import TuttiSchema
import TuttiSender

/// `tutti library`.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Keeps a library of your music, to be searched, browsed and played.",
        usage: """
            tutti library [--json]
            tutti library add|remove|scan FOLDER…
            tutti library move OLD NEW
            tutti library loudness [--json] [FOLDER…]
            """,
        discussion: """
            `tutti library` alone lists the folders of the library, like `tutti library list`.

            `add` takes folders into the library and scans them; `scan` brings folders up to date, all of them if you \
            name none. A scan reads the tags of files that are new or have changed and never decodes sound. Files \
            that are gone leave the library; files that were moved or renamed inside a folder keep their play counts.

            Nothing is lost when a disk or a share is away: a folder that can't be read, and an empty mount point, \
            keep their tracks. They are marked with a `!` until the folder is back. If you have moved a folder, add \
            it at its new place, or use `move`: no file is read again.

            Trouble is reported once, in one line for each kind, and the scan goes on. Hidden files and folders are \
            left out, links are followed, and tags that are not UTF-8 are read as Windows-1252.

            A file with a cue sheet beside it, or in its tags, is its tracks.

            `loudness` measures tracks that have no ReplayGain or R128 tags, for `tutti normalise`.

            The exit status is 1 if a folder could not be found or changes could not be stored.

            EXAMPLES
              tutti library add ~/Music /mnt/nas/music
              tutti library scan
              tutti play 'album:kind of blue'; tutti add 'artist:miles davis'
              tutti library move ~/Music /srv/music
              tutti library remove /mnt/nas/music

            FILES
              $XDG_STATE_HOME/tutti/library.sqlite (root: /var/lib/tutti)
                  what is known of your files; the files themselves are never changed
            """,
        subcommands: [List.self, Add.self, Remove.self, Move.self, Scan.self, Loudness.self])

    @Flag(help: "Print lines of JSON; see docs/json.md.") var json = false

    func run() throws { try Self.list(isJSON: json) }

    /// The library of this user; prints what happened to it.
    static func open() throws(LibraryError) -> LibraryStore {
        let library = try LibraryStore(directory: PlayerSettings.paths.stateDirectory)
        for remark in library.remarks { Terminal.error(remark) }
        return library
    }

    static func list(isJSON: Bool) throws {
        let library = try open()
        defer { library.close() }
        let roots = try library.roots()
        if isJSON { return roots.forEach { Terminal.write(json: LibraryListing.Root($0)) } }
        if roots.isEmpty { Terminal.writeError("the library is empty; `tutti library add FOLDER` fills it\n") }
        for root in roots {
            Terminal.write("\(root.isReachable ? " " : "!") \(root.path)  \(LibraryText.tracks(root.trackCount))\n")
        }
    }

    /// Has a service that runs look at the library too: whoever watches is told of it then.
    static func tellService() { _ = try? GroupOption.client.ask(ControlRequest(.library(.scan)), within: 5) }

    /// Scans folders and tells how far that has come.
    static func scan(_ roots: [String]?, _ library: LibraryStore) throws {
        // What plays meanwhile comes first.
        _ = nice(10)
        var text = ScanText()
        LibraryScan(library).run(roots) { text.show($0) }
        tellService()
        if text.hasFailed { throw Failure("the library is not up to date (see above)") }
    }
}

extension LibraryCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the folders, `!` before those that can't be read now.")
        @Flag(help: "Print lines of JSON; see docs/json.md.") var json = false

        func run() throws { try LibraryCommand.list(isJSON: json) }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds folders and scans them.",
            discussion: """
                A folder that the library knows under another path, where it is no longer found, is taken for moved: \
                it keeps its play counts and favourites.
                """)
        @Argument(help: "Folders with music.", completion: .directory) var folders: [String]

        func run() throws {
            let library = try LibraryCommand.open()
            defer { library.close() }
            var paths: [String] = []
            for folder in folders {
                let (root, old) = try library.add(folder)
                if let old { Terminal.write("\(root.path): moved here from \(old)\n") }
                paths.append(root.path)
            }
            try LibraryCommand.scan(paths, library)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes folders from the library, with play counts and favourites. The files stay.")
        @Argument(help: "Folders of the library.", completion: .directory) var folders: [String]

        func run() throws {
            let library = try LibraryCommand.open()
            defer { library.close() }
            for folder in folders { try library.removeRoot(folder) }
            LibraryCommand.tellService()
        }
    }

    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tells the library that a folder is somewhere else now. No file is read.")
        @Argument(help: "The folder as the library has it.") var old: String
        @Argument(help: "Where it is now.", completion: .directory) var new: String

        func run() throws {
            let library = try LibraryCommand.open()
            defer { library.close() }
            try library.moveRoot(from: old, to: new)
            LibraryCommand.tellService()
        }
    }

    struct Scan: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Brings the library in line with its folders.")
        @Argument(help: "Folders of the library; all if you name none.", completion: .directory)
        var folders: [String] = []

        func run() throws {
            let library = try LibraryCommand.open()
            defer { library.close() }
            try LibraryCommand.scan(folders.isEmpty ? nil : try library.roots(named: folders).map(\.path), library)
        }
    }
}
