import ArgumentParser
import TuttiHost
import TuttiSender

/// `tutti group`.
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Names groups of rooms, for `tutti play --group`.",
        subcommands: [Set.self, Add.self, Remove.self, List.self, Delete.self])

    /// Runs `body` with the store, telling its failures in one line.
    static func withStore(_ body: (GroupStore) throws(SenderError) -> Void) throws {
        do throws(SenderError) {
            try body(GroupStore(directory: Settings.paths.stateDirectory))
        } catch {
            throw Failure(error)
        }
    }

    /// `tutti group set`.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a group of these rooms, or replaces it.")

        @Argument(help: "The group.") var name: String
        @Argument(help: "Rooms: NAME or NAME@HOST[:PORT].") var rooms: [String]

        func run() throws {
            let members = try RoomArgument.parse(rooms)
            try GroupCommand.withStore { store throws(SenderError) in try store.set(name, to: members) }
        }
    }

    /// `tutti group add`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds rooms to a group.")

        @Argument(help: "The group.") var name: String
        @Argument(help: "Rooms: NAME or NAME@HOST[:PORT].") var rooms: [String]

        func run() throws {
            let members = try RoomArgument.parse(rooms)
            try GroupCommand.withStore { store throws(SenderError) in try store.add(members, to: name) }
        }
    }

    /// `tutti group remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes rooms out of a group.")

        @Argument(help: "The group.") var name: String
        @Argument(help: "The rooms' names.") var rooms: [String]

        func run() throws {
            try GroupCommand.withStore { store throws(SenderError) in try store.remove(rooms, from: name) }
        }
    }

    /// `tutti group list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the groups and their rooms.")

        @Flag(help: "As one line of JSON; see docs/json.md.") var json = false

        func run() throws {
            try GroupCommand.withStore { store throws(SenderError) in
                let groups = try store.load().mapValues { $0.map(\.description) }
                if json { return Terminal.write(JSONLine.encode(groups) + [UInt8(ascii: "\n")]) }
                for (name, rooms) in groups.sorted(by: { $0.key < $1.key }) {
                    Terminal.write("\(name): \(rooms.joined(separator: " "))\n")
                }
            }
        }
    }

    /// `tutti group delete`.
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a group.")

        @Argument(help: "The group.") var name: String

        func run() throws {
            try GroupCommand.withStore { store throws(SenderError) in try store.delete(name) }
        }
    }
}
