import ArgumentParser
import TuttiCommandLine
import TuttiSchema
import TuttiSender

/// `tutti reference`.
struct ReferenceSubcommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Shows or sets the room that plays bit for bit.",
        discussion: """
            To stay in sync, rooms resample a little, as much as their sound cards need. The reference room does not: \
            the others follow its card. It plays the source's own samples as long as the track has the card's sample \
            rate and no more bits, the volume is 100 and there is no announcement. `tutti status` shows whether it \
            plays bit for bit.

            Nothing jumps when you set another room or 'none', or when the room drops out. A new reference room takes \
            up to half a minute until it plays bit for bit.

            EXAMPLES
              tutti reference
              tutti reference kitchen
              tutti reference none --group downstairs
            """)

    @Argument(
        help: ArgumentHelp("A room of the group, or none.", valueName: "room"), completion: NameCompletion.rooms)
    var room: [String] = []

    @OptionGroup var target: GroupOption

    func run() throws {
        guard room.count <= 1 else { throw Failure("usage: tutti reference [ROOM|none]", exitCode: 2) }
        guard let room = room.first else {
            let status = try target.steer(ControlRequest(.status))
            return Terminal.write((status.reference ?? PlayOrder.noReference) + "\n")
        }
        try target.steer(ControlRequest(.reference(room == PlayOrder.noReference ? nil : room)))
    }

    /// The one room that is named.
    ///
    /// - Throws: `ProgramFailure` with exit status 2 for several.
    static func single(_ rooms: [String]) throws -> String? {
        guard rooms.count <= 1 else {
            throw Failure("only one room can be the reference; give --reference once", exitCode: 2)
        }
        return rooms.first
    }
}
