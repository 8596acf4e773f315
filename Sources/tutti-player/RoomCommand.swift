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
        commandName: "room", abstract: "Sets what a room is called and what its sound goes through.",
        usage: """
            tutti room ROOM name NEW-NAME
            tutti room ROOM eq FILTERS|off
            tutti room ROOM convolve FILE [gain=DB]|off
            tutti room ROOM channels stereo|left|right|mono|swap|sub [above HZ|below HZ]
            tutti room ROOM chain FILE|off|show
            """,
        discussion: """
            The speaker keeps what you set, whoever plays there, and applies it after it has restarted.

            name: the room goes by the new name at once, also while music plays there. Groups and schedules of this \
            host that have the room have it under its new name. Other senders of your household see the new name, but \
            their groups and schedules keep the old one. A name is 1 to 63 bytes of text without @. If somebody then \
            sets another name in the speaker's own settings, that one counts.

            eq, convolve, channels, chain: effects on the room's sound. You hear a change within 0.2 s, without a \
            click, while music plays. Effects that delay the sound are made up for: the room stays in step with the \
            others. `eq` replaces the room's equaliser, `convolve` its impulse response (any sound file, or numbers in \
            a .txt file), `channels` which sides it plays; `chain` replaces all effects by those of a file, which may \
            also be a filter export of Room EQ Wizard or AutoEq, or a configuration of CamillaDSP. docs/chains.md \
            lists the effects. If the speaker cannot do what you ask, it says why and plays on as before.

            A stereo pair of two rooms: `tutti stereo LEFT RIGHT`. A subwoofer in a room of its own: `channels sub \
            below 80` there, and `channels stereo above 80` in the others.

            EXAMPLES
              tutti room kitchen name Küche
              tutti room kitchen eq "peak 62 -5 4; highshelf 8000 -2"
              tutti room kitchen convolve kitchen.wav
              tutti room shelf-left channels left
              tutti room kitchen chain kitchen-chain.yaml
              tutti room kitchen chain show
              tutti room kitchen chain off
            """)

    /// What can be set.
    enum Setting: String, ExpressibleByArgument, CaseIterable {
        case name, eq, convolve, channels, chain
    }

    @Argument(
        help: ArgumentHelp("The room.", valueName: "room"), completion: NameCompletion.rooms)
    var room: String

    @Argument(help: ArgumentHelp("What to set: name, eq, convolve, channels or chain.", valueName: "setting"))
    var setting: Setting

    @Argument(help: ArgumentHelp("What to set it to; without it, the room's effects are shown.", valueName: "value"))
    var values: [String] = []

    @Flag(help: "Print the room's effects as a line of JSON; see docs/json.md.")
    var json = false

    func validate() throws {
        if setting == .name, values.count != 1 { throw ValidationError("usage: tutti room ROOM name NEW-NAME") }
    }

    func run() async throws {
        let address = try RoomArgument.parse([room])[0]
        if setting == .name {
            try RoomName.check(values[0])
            let before = try await rename(address, to: values[0])
            return Terminal.write("\(before): called \(values[0]) now\n")
        }
        let edit = try RoomEffectsSetting.edit(setting, values)
        let listing = try await RoomEffectsSetting.carryOut(edit, in: room, address)
        json ? Terminal.write(json: listing) : Terminal.write(RoomEffectsSetting.text(listing))
    }

    /// - Returns: what the room was called.
    private func rename(_ address: RoomAddress, to value: String) async throws(SenderError) -> String {
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
        if let before { name = before } else { name = try await visit(address, store, value) }
        try store.renameRoom(name, to: value)
        return name
    }

    /// Tells the speaker of a room in which nothing of this host plays.
    ///
    /// - Returns: what the room was called.
    private func visit(
        _ address: RoomAddress, _ store: HouseStore, _ value: String
    ) async throws(SenderError) -> String {
        let book = try RoomBook(store: store, clock: HostClock())
        let place = try await book.find(address).mapError(\.error).get().address
        let visit = try RoomVisit(place, identity: try store.identity(), clock: HostClock())
        defer { visit.leave() }
        let before = visit.name
        try visit.setName(value)
        return before
    }
}
