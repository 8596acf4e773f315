import ArgumentParser
import TuttiCalibration
import TuttiCommandLine
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti delay`.
struct DelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delay", abstract: "Shows or sets a room's output delay (latency added after the sound card).",
        discussion: """
            MS is the delay of what comes after the sound card. If an amplifier, a television or a wireless link adds \
            100 ms, the room sounds 100 ms late. Set its delay to 100, and its samples go out 100 ms earlier. A \
            negative delay makes the room play later. Values go from -5000 to 5000 in steps of 0.1 ms. The speaker \
            saves the delay.

            If the room is playing, the player makes the change; otherwise the speaker does. If the room is not \
            announced on the network, add its address. To measure the delay, use `tutti calibrate`; for a screen, which \
            shows its pictures that much earlier, `tutti calibrate --screen`.

            EXAMPLES
              tutti delay kitchen
              tutti delay kitchen 35
              tutti delay bath@10.0.0.7 -2.5
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The room, and the milliseconds to set.", valueName: "room-and-ms"),
        completion: NameCompletion.rooms)
    var arguments: [String] = []

    @Option(help: ArgumentHelp("The room, if you don't name it as an argument.", valueName: "name[@host[:port]]"))
    var room: String?

    @Flag(help: "Print one line of JSON; see docs/json.md.")
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
            Terminal.write("\(result.effect(on: name))\n")
        }
    }

    private func wishes() throws -> (RoomAddress, OutputDelay?) {
        let words = (room.map { [$0] } ?? []) + arguments
        guard (1...2).contains(words.count), let name = words.first else {
            throw ValidationError("usage: tutti delay ROOM [MS]")
        }
        let address = try RoomArgument.parse([name])[0]
        guard words.count == 2 else { return (address, nil) }
        guard let delay = OutputDelay(parsing: words[1]) else {
            throw ValidationError("\(words[1]): an output delay is a number of ms from -5000 to 5000, in steps of 0.1")
        }
        return (address, delay)
    }
}
