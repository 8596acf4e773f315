import ArgumentParser
import TuttiAssets
import TuttiCommandLine
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti station`.
struct StationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "station", abstract: "Keeps radio stations by name, for `tutti play station:NAME`.",
        usage: """
            tutti station [--json]
            tutti station add NAME ADDRESS
            tutti station remove NAME
            """,
        discussion: """
            `tutti station` alone lists the stations. Adding one under a name that is taken gives it another address. An \
            address may also be that of a playlist (.m3u, .pls): its first stream is kept.

            `station:NAME` can be played, queued and announced like a file. A schedule looks its station up when it is \
            due. The name is shown while it plays, with what the station says of its programme. Names ignore case and \
            accents.

            EXAMPLES
              tutti station add jazz https://radio.example/jazz.mp3
              tutti play station:jazz --group downstairs
              tutti at mon-fri 07:00 play station:jazz --room bedroom --fade 1m
            """,
        subcommands: [Add.self, Remove.self, List.self])

    @Flag(help: "Print one line of JSON; see docs/json.md.") var json = false

    func run() throws { try Self.list(isJSON: json) }

    /// Has a command carried out by the service, or in the store where there is none.
    @discardableResult
    static func carryOut(_ command: ControlRequest.StationCommand) throws -> [StationListing] {
        let client = GroupOption.client
        guard client.isService == true else { return try StationEdit.carryOut(command, in: PlayerSettings.store()) }
        return try client.ask(ControlRequest(.station(command))).stations ?? []
    }

    private static func list(isJSON: Bool) throws {
        let stations = try carryOut(.list)
        if isJSON { return Terminal.write(json: stations) }
        if stations.isEmpty { Terminal.writeError("no stations; to keep one, use `tutti station add NAME ADDRESS`\n") }
        for station in stations { Terminal.write("\(station.name): \(station.uri)\n") }
    }

    /// `tutti station add`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Keeps a station, or gives it another address.")

        @Argument(help: "What it is called.") var name: String
        @Argument(help: "Its http:// or https:// address.") var address: String

        func run() throws {
            guard AssetInput(uri: address).isRemote else {
                throw ValidationError("\(address): a station's address begins with http:// or https://")
            }
            let stream = try InputResolver.resolve([address]).first?.uri ?? address
            try StationCommand.carryOut(.set(name, uri: stream))
        }
    }

    /// `tutti station remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forgets a station.")

        @Argument(help: "The station.") var name: String

        func run() throws { try StationCommand.carryOut(.remove(name)) }
    }

    /// `tutti station list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the stations and their addresses.")

        @Flag(help: "Print one line of JSON; see docs/json.md.") var json = false

        // The parent command may consume options after `list`.
        @ParentCommand var station: StationCommand

        func run() throws { try StationCommand.list(isJSON: json || station.json) }
    }
}
