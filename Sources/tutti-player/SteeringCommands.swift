import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiSchema
import TuttiSender

/// `tutti pause`.
struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pauses all rooms at the same instant.")

    @OptionGroup var target: AllOption

    func run() throws { try target.steer(ControlRequest(.pause)) }
}

/// `tutti resume`.
struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resumes playback after a pause or a stop.")

    @OptionGroup var target: AllOption

    func run() throws { try target.steer(ControlRequest(.resume())) }
}

/// `tutti toggle`.
struct ToggleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Pauses or resumes playback.")

    @OptionGroup var target: AllOption

    func run() throws { try target.steer(ControlRequest(.toggle())) }
}

/// `tutti stop`.
struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stops the music in all rooms.",
        discussion: """
            The service keeps the queue and the place: `tutti play` or `tutti resume` continues there. This command \
            also stops rooms that still play after their service is gone.
            """)

    @OptionGroup var target: AllOption

    func run() throws { try target.steer(ControlRequest(.stop)) }
}

/// `tutti next`.
struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "next", abstract: "Goes to the next track.")

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.next)) }
}

/// `tutti previous`.
struct PreviousCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "previous",
        abstract: "Goes to the start of the track; in its first 3 seconds, to the previous track.",
        aliases: ["prev"])

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.previous)) }
}

/// `tutti seek`.
struct SeekCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek", abstract: "Moves within the current track.",
        discussion: """
            `tutti seek 1:30` goes to that time; `tutti seek +10` and `tutti seek -10` move by 10 seconds. A station \
            and a live source go back as far as they are kept, five minutes at most; `tutti seek live` leads back to \
            what is live, as going too far ahead does.
            """)

    @Argument(parsing: .allUnrecognized, help: "T, +T or -T: seconds, M:SS or H:MM:SS; or live.")
    var time: [String]

    @OptionGroup var target: GroupOption

    func run() throws {
        guard time.count == 1, let place = time.first.flatMap(SeekTarget.init(parsing:)) else {
            throw ValidationError("usage: tutti seek T, +T or -T, in seconds, M:SS or H:MM:SS; or tutti seek live")
        }
        try target.steer(ControlRequest(.seek(place)))
    }
}

/// `tutti volume`.
struct VolumeSubcommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volume", abstract: "Shows or sets the volume of a room, or of all rooms.",
        discussion: """
            `tutti volume 40`, `tutti volume kitchen +5`, `tutti volume -10`. The scale runs from 0 to 100, in steps \
            that sound equal. If you change all rooms by a step, the balance between them stays, even at the ends of \
            the scale. With --group, a number is the volume of the group's loudest room, and the balance stays, too. \
            Without it, a number is the volume of each room. Setting a room's volume unmutes it. Without a number, the command shows the volume. By name, \
            you can also set rooms in which nothing plays.
            """)

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The room, and 0-100, +N or -N.", valueName: "room-and-volume"),
        completion: NameCompletion.rooms)
    var arguments: [String] = []

    @OptionGroup var target: AllOption

    func run() throws {
        let volume = arguments.last.flatMap(VolumeChange.init(parsing:))
        let rooms = volume == nil ? arguments[...] : arguments.dropLast()
        let isNumber = arguments.last?.allSatisfy { "0123456789+-.".contains($0) } ?? false
        guard rooms.count <= 1, volume != nil || !isNumber else {
            throw ValidationError("usage: tutti volume [ROOM] 0-100, +N or -N")
        }
        var asked =
            volume.map { ControlRequest(.volume($0, room: rooms.first)) } ?? ControlRequest(.levels(room: rooms.first))
        if !target.all, target.target.name != nil { asked.keepBalance() }
        LevelText.write(try target.steer(asked).rooms, of: rooms.first, showsMute: volume == nil)
    }
}

/// `tutti mute`.
struct MuteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Mutes a room, or all rooms; the music keeps playing silently.",
        discussion: """
            `tutti mute kitchen` mutes a room, `tutti mute on` mutes all rooms, and `tutti mute kitchen off` restores \
            the room's volume. Without arguments, the command shows all rooms. By name, you can also mute rooms in \
            which nothing plays.
            """)

    @Argument(
        help: ArgumentHelp("The room, and on or off. (default: on)", valueName: "room-and-mode"),
        completion: NameCompletion.rooms)
    var arguments: [String] = []

    @OptionGroup var target: AllOption

    func run() throws {
        let mode = arguments.last.flatMap { ["on": true, "off": false][$0] }
        let rooms = mode == nil ? arguments : arguments.dropLast()
        guard rooms.count <= 1 else { throw ValidationError("usage: tutti mute [ROOM] [on|off]") }
        let request =
            arguments.isEmpty
            ? ControlRequest(.levels(room: nil)) : ControlRequest(.mute(mode ?? true, room: rooms.first))
        LevelText.write(try target.steer(request).rooms, of: rooms.first, showsMute: true)
    }
}

/// `tutti rate`.
struct RateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate", abstract: "Plays faster or slower, with the pitch kept: for podcasts and audiobooks.",
        discussion: """
            Rates go from 0.5 (half speed) to 2 (double speed). At 1, the file plays unchanged. The rate also applies \
            to the tracks that follow. It is made for voices: music sounds rougher, and notes below 65 Hz lose their \
            pitch.
            """)

    @Argument(help: "0.5 to 2.")
    var rate: String

    @OptionGroup var target: GroupOption

    func run() throws {
        try target.steer(ControlRequest(.rate(try Self.parse(rate))))
    }

    /// - Throws: `ProgramFailure` with exit status 2 for what is no rate.
    static func parse(_ text: String) throws -> Double {
        guard let rate = Double(text), PlayerConfiguration.rates.contains(rate) else {
            throw Failure("\(text): a rate is from 0.5 to 2", exitCode: 2)
        }
        return rate
    }
}
