import ArgumentParser
import TuttiCommandLine
import TuttiSchema
import TuttiSender

/// `tutti night`.
struct NightCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "night", abstract: "Turns night mode on or off: less difference between loud and soft.",
        discussion: """
            Loud parts play softer and soft parts louder, in all rooms of the group: you hear the quiet ones, and the \
            loud ones wake nobody. Without a mode, the command shows the mode.

            A change is heard within a second or two. A live stream stays as it is until it is started again.
            """)

    @Argument(help: "on or off.")
    var mode: Switch?

    @OptionGroup var target: GroupOption

    func run() throws {
        if let mode { return _ = try target.steer(ControlRequest(.night(mode == .on))) }
        let status = try target.steer(ControlRequest(.status))
        Terminal.write(status.queue.night == true ? "on\n" : "off\n")
    }
}
