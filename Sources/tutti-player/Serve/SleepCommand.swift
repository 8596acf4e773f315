import ArgumentParser
import TuttiCommandLine
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti sleep`.
struct SleepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Fades the music out and stops it after a while.",
        discussion: """
            `tutti sleep 30m` stops the music in half an hour, with a fade-out of ten seconds. The rooms keep their \
            volume for the next time. `tutti sleep off` cancels the timer. Without an argument, the command shows the \
            time left. The timer survives a restart of the service.
            """)

    @Argument(help: "How long, such as 30m or 1h30m, or off.")
    var time: String?

    @OptionGroup var target: GroupOption

    func run() throws {
        var seconds: Double?
        if let time {
            guard let given = time == "off" ? 0 : Schedule.duration(time) else {
                throw ValidationError("\(time): a sleep timer is a time such as 30m or 1h30m, or off")
            }
            seconds = Double(given)
        }
        let left = try GroupOption.client.ask(ControlRequest(.sleep(seconds: seconds), group: target.name)).sleep
        if time == nil { Terminal.write((left.map { "\(StatusText.time($0)) left" } ?? "off") + "\n") }
    }
}
