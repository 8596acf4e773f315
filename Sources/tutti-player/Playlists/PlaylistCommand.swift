import ArgumentParser
import Foundation
import TuttiCommandLine
import TuttiHouse
import TuttiSchema
import TuttiSender

/// `tutti playlist`.
struct PlaylistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playlist", abstract: "Keeps queues and tracks by name, for `tutti play playlist:NAME`.",
        usage: """
            tutti playlist [--json]
            tutti playlist save NAME [--group NAME]
            tutti playlist show|remove NAME
            tutti playlist add NAME INPUT…
            tutti playlist rename NAME NEW
            tutti playlist export NAME FILE.m3u8
            tutti playlist import FILE [NAME]
            """,
        discussion: """
            `tutti playlist` alone lists the playlists, like `tutti playlist list`.

            `save` keeps the queue of a group, playing or stopped; a playlist of that name is replaced. `add` appends \
            tracks, and makes the playlist if there is none; a playlist can hold files, addresses, station:NAME, and \
            album:NAME and its like, which are looked up when it is played.

            `playlist:NAME` can be played, queued and scheduled like a file. A schedule takes the playlist as it is \
            then. Names ignore case and accents.

            `export` writes an M3U8 file, which other players read; `import` reads M3U, PLS and CUE files. A CUE file's \
            tracks are parts of one file, which M3U8 cannot name: `export` writes the whole file once.

            EXAMPLES
              tutti playlist save dinner --group downstairs
              tutti play playlist:dinner --group downstairs
              tutti playlist add dinner ~/Music/Bach album:'kind of blue'
              tutti playlist export dinner dinner.m3u8

            FILES
              $XDG_STATE_HOME/tutti/tutti.sqlite (root: /var/lib/tutti)
            """,
        subcommands: [
            List.self, Save.self, Show.self, Add.self, Remove.self, Rename.self, Export.self, Import.self,
        ])

    @Flag(help: "Print lines of JSON; see docs/json.md.") var json = false

    func run() throws { try Self.list(isJSON: json) }

    /// Has a command carried out by the service, or in the store where there is none.
    @discardableResult
    static func carryOut(
        _ command: ControlRequest.PlaylistCommand, of group: String? = nil
    ) throws -> [PlaylistListing] {
        let client = GroupOption.client
        guard client.isService == true else {
            return try PlaylistEdit(store: PlayerSettings.store(), now: Int64(Date().timeIntervalSince1970))
                .carryOut(command)
        }
        return try client.ask(ControlRequest(.playlist(command), group: group)).playlists ?? []
    }

    /// The tracks of a playlist.
    static func inputs(of name: String) throws -> [ControlInput] { try carryOut(.show(name)).first?.inputs ?? [] }

    static func list(isJSON: Bool) throws {
        let playlists = try carryOut(.list)
        if isJSON { return playlists.forEach { Terminal.write(json: $0) } }
        if playlists.isEmpty {
            Terminal.writeError("no playlists; `tutti playlist save NAME` keeps what is in the queue\n")
        }
        for playlist in playlists { Terminal.write("\(playlist.name): \(LibraryText.tracks(playlist.tracks))\n") }
    }
}

extension PlaylistCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the playlists.")

        @Flag(help: "Print lines of JSON; see docs/json.md.") var json = false

        // The parent command may consume options after `list`.
        @ParentCommand var playlist: PlaylistCommand

        func run() throws { try PlaylistCommand.list(isJSON: json || playlist.json) }
    }

    struct Save: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps the queue of a group, in place of a playlist of that name.")

        @Argument(help: "What it is called.") var name: String
        @OptionGroup var group: GroupOption

        func run() throws {
            let client = GroupOption.client
            if client.isService == true {
                try PlaylistCommand.carryOut(.save(name), of: group.name)
                return
            }
            let inputs = try client.queue(of: group.name).entries.map { entry in
                ControlInput(uri: entry.uri, title: entry.title, artist: entry.artist, album: entry.album)
            }
            try PlaylistCommand.carryOut(.set(name, inputs))
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tracks of a playlist.")

        @Argument(help: "The playlist.") var name: String
        @Flag(help: "Print a line of JSON; see docs/json.md.") var json = false

        // The parent command may consume options after `show`.
        @ParentCommand var playlist: PlaylistCommand

        func run() throws {
            guard let shown = try PlaylistCommand.carryOut(.show(name)).first else { return }
            if json || playlist.json { return Terminal.write(json: shown) }
            for (index, input) in (shown.inputs ?? []).enumerated() {
                let title = [input.artist, input.title].compactMap(\.self).joined(separator: " – ")
                Terminal.write("\(index + 1)  \(title.isEmpty ? input.uri : title)\n")
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds tracks at the end, and makes the playlist if there is none.")

        @Argument(help: "The playlist.") var name: String
        @Argument(help: "What to add, as `tutti play` takes it.", completion: .file()) var input: [String]

        func run() throws {
            let inputs = try KeptInputs.resolve(input)
            try PlaylistCommand.carryOut(.add(name, inputs, at: nil))
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forgets a playlist. Its files stay.")

        @Argument(help: "The playlist.") var name: String

        func run() throws { try PlaylistCommand.carryOut(.remove(name)) }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Gives a playlist another name.")

        @Argument(help: "The playlist.") var name: String
        @Argument(help: "Its new name.") var new: String

        func run() throws { try PlaylistCommand.carryOut(.rename(name, to: new)) }
    }
}
