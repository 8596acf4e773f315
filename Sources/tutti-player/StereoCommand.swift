import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// `tutti stereo`.
struct StereoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stereo", abstract: "Makes two rooms a stereo pair, or two rooms of their own again.",
        usage: "tutti stereo LEFT RIGHT [on|off]",
        discussion: """
            LEFT plays the left side from now on, and RIGHT the right side. With off, both play both sides again. Either \
            both rooms do it, or neither: if the second one cannot, the first one is put back as it was.

            The speakers keep it, whoever plays there. Their other effects stay, also a crossover to a subwoofer \
            (`channels … above HZ`). To hear the pair in step, play in both rooms: `tutti play --room LEFT --room RIGHT`. \
            `tutti room LEFT chain show` shows which side a room plays.

            EXAMPLES
              tutti stereo shelf-left shelf-right
              tutti stereo shelf-left shelf-right off

            EXIT STATUS
              0 done   1 failed   2 wrong usage   3 no such room   4 refused
            """)

    @Argument(
        help: ArgumentHelp("The room that is to play the left side.", valueName: "left"),
        completion: NameCompletion.rooms)
    var left: String

    @Argument(
        help: ArgumentHelp("The room that is to play the right side.", valueName: "right"),
        completion: NameCompletion.rooms)
    var right: String

    @Argument(help: "on or off.")
    var mode: Switch = .on

    func run() async throws {
        let rooms = try RoomArgument.parse([left, right])
        let pair: [EffectsListing]
        let client = GroupOption.client
        if client.isService == true {
            let request = ControlRequest(.stereo(left: left, right: right, isPair: mode == .on))
            guard let answer = try client.ask(request, within: 60).pair else {
                throw SenderError.refused("the service does not know stereo pairs; update it", exitCode: 1)
            }
            pair = answer
        } else {
            let store = try PlayerSettings.store()
            let book = try RoomBook(store: store, clock: HostClock())
            let sound = RoomSound(book: book, trust: try store.identity().trust, clock: HostClock())
            pair = try await sound.pair(rooms[0], rooms[1], isPair: mode == .on)
        }
        let sides = mode == .on ? ["the left side", "the right side"] : ["both sides", "both sides"]
        for (room, side) in zip(pair, sides) { Terminal.write("\(room.room): plays \(side)\n") }
    }
}
