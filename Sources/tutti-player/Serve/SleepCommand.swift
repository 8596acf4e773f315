import ArgumentParser
import TuttiCommandLine
import TuttiHouse
import TuttiSchema
import TuttiSender

/// `tutti sleep`.
struct SleepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Fades the music out and stops it after a while.",
        discussion: """
            `tutti sleep 30m` lets what plays fade out in the last ten seconds of half an hour and then ends it; the rooms are as loud as before \
            the next time. `tutti sleep off` lets it play on, and without an argument the time that is left is shown. The service keeps \
            it, also when it is started anew meanwhile.
            """)

    @Argument(help: "A while, as in 30m or 1h30m, or off.")
    var time: String?

    @OptionGroup var target: GroupOption

    func run() throws {
        var seconds: Double?
        if let time {
            guard let given = time == "off" ? 0 : Schedule.duration(time) else {
                throw ValidationError("\(time): give a while, as in 30m or 1h30m, or off")
            }
            seconds = Double(given)
        }
        let left = try GroupOption.client.ask(ControlRequest(.sleep(seconds: seconds), group: target.name)).sleep
        if time == nil { Terminal.write((left.map { "\(StatusText.time($0)) left" } ?? "off") + "\n") }
    }
}
