import ArgumentParser
import TuttiCommandLine
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti queue`.
struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "Lists the tracks in the queue.",
        discussion: """
            One line for each track, in playing order, with the number that `tutti move`, `remove`, `replace` and \
            `jump` take. ▶ marks the current track.
            """)

    @Flag(help: "Print one line of JSON; see docs/json.md.")
    var json = false

    @OptionGroup var target: GroupOption

    func run() throws {
        guard let queue = try StepIn.ask(ControlRequest(.queue, group: target.name)).queue else {
            throw SenderError.system("the player's answer has no queue; is it another version?")
        }
        if json { return Terminal.write(json: queue) }
        Terminal.write(QueueText.lines(queue).map { $0 + "\n" }.joined())
    }
}

/// `tutti add`.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds tracks at the end of the queue.",
        discussion: """
            INPUT is a file, a folder (in natural order), an http:// or https:// address, or a playlist (m3u, pls, \
            cue), as for `tutti play`. If one of them does not exist, nothing is added, and the exit status is 3. If \
            nothing plays, the tracks wait in the group's queue until you start them with `tutti play`.
            """)

    @Argument(help: "What to add, in order.", completion: .file())
    var input: [String]

    @OptionGroup var target: GroupOption

    func run() throws {
        let inputs = try QueueInputs.resolve(input)
        try target.steer(ControlRequest(.add(inputs, place: try target.order(try PlayerSettings.load()))))
    }
}

/// `tutti insert`.
struct InsertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert", abstract: "Adds tracks right after the current one.",
        discussion: """
            The current track keeps playing. The rooms drop what they have buffered after it. INPUT is as for `tutti \
            add`.
            """)

    @Argument(help: "What to play next, in order.", completion: .file())
    var input: [String]

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.insert(try QueueInputs.resolve(input)))) }
}

/// `tutti move`.
struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Moves a track to another place in the queue.",
        discussion: "`tutti move 7 2` makes track 7 the second one. Numbers are those of `tutti queue`.")

    @Argument(help: "The track's number now.")
    var from: String

    @Argument(help: "Its new number.")
    var to: String

    @OptionGroup var target: GroupOption

    func run() throws {
        try target.steer(ControlRequest(.move(from: .index(try QueueNumbers.one(from)), to: try QueueNumbers.one(to))))
    }
}

/// `tutti remove`.
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes tracks from the queue.",
        discussion: """
            `tutti remove 3 5-8` removes track 3 and tracks 5 to 8. Numbers are those of `tutti queue`. If the \
            current track is among them, the next remaining track starts. If there is none, the music stops.
            """)

    @Argument(help: ArgumentHelp("Numbers, or ranges such as 5-8.", valueName: "number"))
    var numbers: [String]

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.remove(try QueueNumbers.parse(numbers).map { .index($0) }))) }
}

/// `tutti replace`.
struct ReplaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace", abstract: "Replaces a track in the queue with another.",
        discussion:
            "If you replace the current track, the new one starts at once. Numbers are those of `tutti queue`.")

    @Argument(help: "The track's number.")
    var number: String

    @Argument(help: "A file or an address.")
    var input: String

    @OptionGroup var target: GroupOption

    func run() throws {
        let inputs = try QueueInputs.resolve([input])
        guard inputs.count == 1 else {
            throw ValidationError("\(input): has \(inputs.count) tracks; name one file or address")
        }
        try target.steer(ControlRequest(.replace(.index(try QueueNumbers.one(number)), with: inputs[0])))
    }
}

/// `tutti jump`.
struct JumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jump", abstract: "Plays a track in the queue.",
        discussion: "Numbers are those of `tutti queue`.")

    @Argument(help: "The track's number.")
    var number: String

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.jump(.index(try QueueNumbers.one(number))))) }
}

/// `tutti clear`.
struct ClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Removes everything from the queue but the current track.",
        discussion: "The current track plays to its end; `tutti stop` stops it at once.")

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.clear)) }
}
