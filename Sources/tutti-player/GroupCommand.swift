import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// `tutti group`.
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Shows or changes named groups of rooms, for `tutti play --group`.",
        usage: """
            tutti group [--json]
            tutti group set|add|remove NAME ROOM…
            tutti group delete NAME
            """,
        discussion: """
            `tutti group` alone lists the groups, like `tutti group list`.

            If a group is playing, a change takes effect at once: a room that you add joins in sync, and a room that \
            you remove falls silent. A room plays in one group at a time. If it joins another group, it leaves the \
            first.

            Rooms must be known: they answer now, or have played before. Names ignore case and accents. If you delete \
            a group, its schedules are cancelled, and the command lists them.

            EXAMPLES
              tutti group set downstairs kitchen bath
              tutti group add downstairs study
              tutti group delete downstairs
            """,
        subcommands: [Set.self, Add.self, Remove.self, List.self, Delete.self])

    @Flag(help: "Print one line of JSON; see docs/json.md.") var json = false

    func run() throws { try Self.list(isJSON: json) }

    /// Has a change made by the service, whose rooms follow it at once, or else made in the store; gives all groups
    /// after that.
    @discardableResult
    static func edit(_ command: ControlRequest.GroupCommand) throws -> [String: [String]] {
        let client = GroupOption.client
        guard client.isService == true else { return try alone(command) }
        let response = try client.ask(ControlRequest(.group(command)))
        for notice in response.notices ?? [] { Terminal.error(notice) }
        return response.groups ?? [:]
    }

    private static func alone(_ command: ControlRequest.GroupCommand) throws(SenderError) -> [String: [String]] {
        let store = try PlayerSettings.store()
        if command != .list {
            let book = try RoomBook(store: store, clock: HostClock())
            let change = StepIn.wait {
                await Result { () async throws(SenderError) in
                    try await GroupEdit(command, store: store, book: book).carryOut(in: store)
                }
            }
            for notice in try change.get() { Terminal.error(notice) }
        }
        return try store.groups().mapValues { $0.map(\.description) }
    }

    private static func list(isJSON: Bool) throws {
        let groups = try edit(.list)
        if isJSON { return Terminal.write(json: groups) }
        if groups.isEmpty { Terminal.writeError("no groups; to create one, use `tutti group set NAME ROOM…`\n") }
        for (name, rooms) in groups.sorted(by: { $0.key < $1.key }) {
            Terminal.write("\(name): \(rooms.joined(separator: " "))\n")
        }
    }

    /// `tutti group set`.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a group, or replaces its rooms.")

        @Argument(help: "The group.", completion: NameCompletion.groups) var name: String
        @Argument(help: "Rooms: NAME or NAME@HOST[:PORT].", completion: NameCompletion.rooms) var rooms: [String]

        func run() throws {
            _ = try RoomArgument.parse(rooms)
            try GroupCommand.edit(.set(name, rooms: rooms))
        }
    }

    /// `tutti group add`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds rooms to a group.")

        @Argument(help: "The group.", completion: NameCompletion.groups) var name: String
        @Argument(help: "Rooms: NAME or NAME@HOST[:PORT].", completion: NameCompletion.rooms) var rooms: [String]

        func run() throws {
            _ = try RoomArgument.parse(rooms)
            try GroupCommand.edit(.add(name, rooms: rooms))
        }
    }

    /// `tutti group remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes rooms from a group.")

        @Argument(help: "The group.", completion: NameCompletion.groups) var name: String
        @Argument(help: "The rooms' names.", completion: NameCompletion.rooms) var rooms: [String]

        func run() throws {
            try GroupCommand.edit(.remove(name, rooms: rooms))
        }
    }

    /// `tutti group list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the groups and their rooms.")

        @Flag(help: "Print one line of JSON; see docs/json.md.") var json = false

        // The parent command may consume options after `list`.
        @ParentCommand var group: GroupCommand

        func run() throws { try GroupCommand.list(isJSON: json || group.json) }
    }

    /// `tutti group delete`.
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a group.")

        @Argument(help: "The group.", completion: NameCompletion.groups) var name: String

        func run() throws {
            try GroupCommand.edit(.delete(name))
        }
    }
}
