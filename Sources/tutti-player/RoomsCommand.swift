import ArgumentParser
import TuttiCommandLine
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti rooms`.
struct RoomsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rooms", abstract: "Lists the speakers on the network.",
        discussion: "Speakers started with --no-mdns are not listed. To play there, use --room NAME@HOST.")

    @Flag(help: "Print lines of JSON; see docs/json.md.")
    var json = false

    private struct Entry: Encodable {
        let name: String
        let id: String
        let address: String
        let version: String
    }

    func run() async throws {
        let rooms = try await RoomResolver.all().map {
            Entry(name: $0.room.name, id: $0.id, address: $0.room.endpoint, version: $0.version)
        }
        if json {
            for room in rooms { Terminal.write(json: room) }
            return
        }
        if rooms.isEmpty { Terminal.writeError("no speakers found\n") }
        let width = rooms.map(\.name.count).max() ?? 0
        for room in rooms.sorted(by: { $0.name < $1.name }) {
            let gap = String(repeating: " ", count: width - room.name.count + 2)
            Terminal.write("\(room.name)\(gap)\(room.address)\n")
        }
    }
}
