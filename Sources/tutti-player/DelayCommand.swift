import ArgumentParser
import TuttiCalibration
import TuttiCommandLine
import TuttiSchema
import TuttiSender

/// `tutti delay`.
struct DelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delay", abstract: "Shows or sets a room's output delay (latency added after the sound card).",
        discussion: """
            MS is what comes after the sound card: an amplifier, a television or a wireless link that needs 100 ms makes \
            the room sound 100 ms late, so its delay is 100, and its samples go out 100 ms earlier. A negative one makes \
            the room play later. In steps of 0.1 ms, from -5000 to 5000. The speaker remembers it.

            The change is made through the player when the room is playing, else at the speaker itself; a room that is not \
            announced on the network is named with its address. `tutti calibrate` finds the figure out.

            EXAMPLES
              tutti delay kitchen
              tutti delay kitchen 35
              tutti delay bath@10.0.0.7 -2.5
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("NAME[@HOST[:PORT]], and milliseconds to set.", valueName: "room-and-ms"),
        completion: NameCompletion.rooms)
    var arguments: [String] = []

    @Option(help: ArgumentHelp("The room, instead of naming it first.", valueName: "name[@host[:port]]"))
    var room: String?

    @Flag(help: "As one line of JSON; see docs/json.md.")
    var json = false

    private struct Answer: Encodable {
        let room: String
        let outputDelayMs: Double
    }

    func run() async throws {
        let (address, delay) = try wishes()
        let (name, result) = try await DelayOfRoom.change(address) { _ in delay }
        if json {
            let answer = Answer(room: name, outputDelayMs: result.milliseconds)
            Terminal.write(json: answer)
        } else {
            Terminal.write("\(result): \(result.effect(on: name))\n")
        }
    }

    private func wishes() throws -> (RoomAddress, OutputDelay?) {
        let words = (room.map { [$0] } ?? []) + arguments
        guard (1...2).contains(words.count), let name = words.first else {
            throw ValidationError("give a room and, to set its delay, milliseconds: tutti delay kitchen 35")
        }
        let address = try RoomArgument.parse([name])[0]
        guard words.count == 2 else { return (address, nil) }
        guard let delay = OutputDelay(parsing: words[1]) else {
            throw ValidationError("\(words[1]): a delay is -5000 to 5000 milliseconds, in steps of 0.1")
        }
        return (address, delay)
    }
}
