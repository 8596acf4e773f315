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
            The piece that is heard goes on and stands first then; all others come behind it, in an order that `tutti queue` \
            shows and later edits leave as it is. Without an argument, or with `on` again, the queue is shuffled anew. `off` restores \
            the order from before, with what was added and removed since.
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
            `all` lets the first piece follow the last without a gap, `one` repeats the piece that is heard (`tutti next` still \
            goes on), `off` ends behind the last.
            """)

    @Argument(help: "off, all or one.")
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
