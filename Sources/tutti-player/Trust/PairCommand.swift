import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiStore
import TuttiTrust

/// `tutti pair`.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Claims a room's speaker for this household, or accepts another speaker for it.",
        discussion: """
            A speaker that belongs to nobody is claimed when you first play on it. You need this command in two cases. \
            The speaker was started with --claim token: give its token, which `tutti-speaker token` prints there. Or \
            another speaker answers for the room than before, because you have replaced it.

            EXAMPLES
              tutti pair kitchen Q7KM-4TNA-9XWE-2BCD-PRZ0-K5MN-VY
              tutti pair kitchen
              tutti pair kitchen@10.0.0.7

            EXIT STATUS
              0 paired   1 failed   2 wrong usage   3 no such room   4 refused
            """)

    @Argument(help: ArgumentHelp("NAME or NAME@HOST[:PORT].", valueName: "room"), completion: NameCompletion.rooms)
    var room: String

    @Argument(help: ArgumentHelp("The speaker's token.", valueName: "token"))
    var token: String?

    func run() async throws {
        let address = try RoomAddress(parsing: room)
        let store = try PlayerSettings.store()
        guard let membership = store.trust else { throw Failure("this sender speaks in the clear (open: true)") }
        let token = try token.map { text in
            guard let token = ClaimToken(text) else {
                throw Failure("\(text): a token is what `tutti-speaker token` prints", exitCode: 2)
            }
            return token
        }
        guard !address.name.isEmpty else { throw Failure("name the room, as in kitchen@10.0.0.7", exitCode: 2) }
        try membership.setToken(token, of: address.name)
        membership.setPin(nil, of: address.name)
        let place = try await PlayerSettings.find([address])[0].address
        // Whoever takes a seat claims.
        let identity = try store.identity()
        let visit = try RoomVisit(place, identity: identity, clock: HostClock())
        visit.leave()
        Terminal.write("\(visit.name) is of this household.\n")
    }
}
