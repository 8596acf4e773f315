public import ArgumentParser
public import TuttiCore
import TuttiSchema
import TuttiSender

/// On or off, as an argument.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
}

extension RepeatMode: ExpressibleByArgument {}

/// `tutti shuffle`.
struct ShuffleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shuffle", abstract: "Shuffles the queue, or restores its order.",
        discussion: """
            The current track keeps playing and becomes the first one. The others follow in a random order, which \
            `tutti queue` shows. `tutti shuffle` or `tutti shuffle on` shuffles again. `off` restores the previous \
            order, with your edits.
            """)

    @Argument(help: "on or off.")
    var mode = Switch.on

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.shuffle(mode == .on))) }
}

/// `tutti repeat`.
struct RepeatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repeat", abstract: "Repeats the queue, or one track.",
        discussion: """
            `all` starts again with the first track after the last one, without a gap. `one` repeats the current \
            track; `tutti next` still goes to the next one. `single` stops after each track; `tutti play` resumes \
            with the next one. `off` stops after the last track.
            """)

    @Argument(help: "off, all, one or single.")
    var mode: RepeatMode

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.repeat(mode))) }
}

/// `tutti consume`.
struct ConsumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consume",
        abstract: "Turns consume mode on or off: when on, tracks leave the queue after they play.")

    @Argument(help: "on or off.")
    var mode: Switch

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.consume(mode == .on))) }
}
