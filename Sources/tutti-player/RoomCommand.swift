import ArgumentParser
import TuttiCommandLine
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// `tutti room`.
struct RoomCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room", abstract: "Gives a room another name, which its speaker keeps.",
        usage: "tutti room ROOM name NEW-NAME",
        discussion: """
            The room goes by the new name at once, also while music plays there, and after its speaker has restarted. \
            Groups and schedules of this host that have the room have it under its new name. Other senders of your \
            household see the new name, but their groups and schedules keep the old one.

            A name is 1 to 63 bytes of text without @. If somebody then sets another name in the speaker's own \
            settings, that one counts.

            EXAMPLES
              tutti room kitchen name Küche
              tutti room kitchen@10.0.0.7 name Küche
            """)

    @Argument(
        help: ArgumentHelp("The room.", valueName: "room"), completion: NameCompletion.rooms)
    var room: String

    @Argument(help: ArgumentHelp("What to set: name.", valueName: "setting"))
    var setting: String

    @Argument(help: ArgumentHelp("The new name.", valueName: "new-name"))
    var value: String

    func run() async throws {
        guard setting == "name" else { throw ValidationError("usage: tutti room ROOM name NEW-NAME") }
        let address = try RoomArgument.parse([room])[0]
        try RoomName.check(value)
        let before = try await rename(address)
        Terminal.write("\(before): called \(value) now\n")
    }

    /// - Returns: what the room was called.
    private func rename(_ address: RoomAddress) async throws(SenderError) -> String {
        let client = GroupOption.client
        let isService = client.isService
        if isService == true {
            _ = try client.ask(ControlRequest(.name(value, room: room)), within: 30)
            return address.label
        }
        let store = try PlayerSettings.store()
        var before: String?
        if isService == false,
            let playing = try client.statuses().lazy.compactMap({ DelayOfRoom.find(address, in: $0) }).first
        {
            _ = try client.ask(ControlRequest(.name(value, room: playing.name)))
            before = playing.name
        }
        let name: String
        if let before { name = before } else { name = try await visit(address, store) }
        try store.renameRoom(name, to: value)
        return name
    }

    /// Tells the speaker of a room in which nothing of this host plays.
    ///
    /// - Returns: what the room was called.
    private func visit(_ address: RoomAddress, _ store: HouseStore) async throws(SenderError) -> String {
        let book = try RoomBook(store: store, clock: HostClock())
        let place = try await book.find(address).mapError(\.error).get().address
        let visit = try RoomVisit(place, identity: try store.identity(), clock: HostClock())
        defer { visit.leave() }
        let before = visit.name
        try visit.setName(value)
        return before
    }
}
