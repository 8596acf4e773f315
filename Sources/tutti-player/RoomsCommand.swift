import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

/// `tutti rooms`.
struct RoomsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rooms", abstract: "Lists the speakers on the network.",
        discussion: """
            Speakers started with --no-mdns are not listed. To play there, use --room NAME@HOST.

            With --trust, the command asks each speaker whom it belongs to. It shows one of these:
              this household       you can play there
              nobody               the first household that plays there claims it
              another household    you can't play there; see `tutti household` and `tutti-speaker reset`
              another speaker      not the one that you have met under this name; see `tutti pair`
              open                 everybody can play there, in the clear
              no answer            it is announced but does not answer
            The line below has the fingerprint of the speaker's key that this host remembers for the room, the id of its \
            household, and the sender that has claimed it.
            """)

    @Flag(help: "Print lines of JSON; see docs/json.md.")
    var json = false

    @Flag(help: "Show whom each speaker belongs to.")
    var trust = false

    func run() async throws {
        let membership = try PlayerSettings.load().trust(in: PlayerSettings.paths.stateDirectory)
        let found = try await RoomResolver.all(as: membership)
        var rooms = found.map {
            var listing = SpeakerListing(
                name: $0.room.name, id: $0.id, address: $0.room.endpoint, version: $0.version)
            listing.screen = $0.isScreen ? true : nil
            return listing
        }
        var claims: [RoomClaim] = []
        if trust {
            claims = await RoomBook.owners(of: found, as: membership, clock: HostClock())
            for (index, claim) in claims.enumerated() {
                rooms[index].trust = claim.owner.rawValue
                (rooms[index].pin, rooms[index].household) = (claim.pin, claim.household)
                rooms[index].claimedBy = claim.claimant?.id
                rooms[index].claimedByName = claim.claimant?.name
            }
        }
        for twins in RoomTwins.among(found) {
            Terminal.writeError("tutti: warning: \(twins.message); \(RoomTwins.advice)\n")
        }
        if json {
            for room in rooms { Terminal.write(json: room) }
            return
        }
        if rooms.isEmpty { Terminal.writeError("no speakers found\n") }
        let order = rooms.indices.sorted { rooms[$0].name < rooms[$1].name }
        let columns = order.map { index in
            [rooms[index].name, rooms[index].address] + (trust ? [claims[index].owner.words] : [])
                + (rooms[index].screen == true ? ["screen"] : [])
        }
        let width = (0..<2).map { column in columns.map { $0[column].count }.max() ?? 0 }
        for (index, row) in zip(order, columns) {
            let padded = row.dropLast().enumerated().map { column, text in
                text + String(repeating: " ", count: width[column] - text.count + 2)
            }
            Terminal.write(padded.joined() + (row.last ?? "") + "\n")
            if trust, let words = claims[index].words { Terminal.write("    \(words)\n") }
        }
    }
}

extension RoomClaim {
    /// For people; nil where nothing is known.
    fileprivate var words: String? {
        let claimed = claimant.map { "claimed by \($0.name.isEmpty ? "a sender" : $0.name) (\($0.id))" }
        let parts = [pin.map { "key \($0)" }, household.map { "household \($0)" }, claimed].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension RoomOwner {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .nobody: "nobody"
        case .household: "this household"
        case .other: "another household"
        case .mismatch: "another speaker"
        case .open: "open"
        case .unreachable: "no answer"
        }
    }
}
