import ArgumentParser
import TuttiHost
import TuttiSender

/// `tutti pause`.
struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Holds the sound in all rooms at one instant.")

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.pause)) }
}

/// `tutti resume`.
struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Goes on after a pause.")

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.resume)) }
}

/// `tutti toggle`.
struct ToggleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Pauses, or goes on.")

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.toggle)) }
}

/// `tutti stop`.
struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stop", abstract: "Ends the programme in all rooms.")

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.stop)) }
}

/// `tutti next`.
struct NextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "next", abstract: "Goes to the next piece.")

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.next)) }
}

/// `tutti previous`.
struct PreviousCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "previous", abstract: "Goes to the start of the piece; in its first 3 seconds, to the one before.")

    @OptionGroup var target: GroupOption

    func run() throws { try target.steer(ControlRequest(.previous)) }
}

/// `tutti seek`.
struct SeekCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek", abstract: "Moves within the piece that is playing.",
        discussion: "`tutti seek 1:30` goes to that place, `tutti seek +10` and `tutti seek -10` by so much.")

    @Argument(parsing: .allUnrecognized, help: "T, +T or -T: seconds, M:SS or H:MM:SS.")
    var time: [String]

    @OptionGroup var target: GroupOption

    func run() throws {
        guard time.count == 1, let place = time.first, SeekTarget(parsing: place) != nil else {
            throw ValidationError("give one place: T, +T or -T, in seconds, M:SS or H:MM:SS")
        }
        try target.steer(ControlRequest(.seek, position: place))
    }
}

/// `tutti volume`.
struct VolumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volume", abstract: "Sets how loud a room is, or all of them.",
        discussion:
            "`tutti volume 40`, `tutti volume kitchen +5`, `tutti volume -10`. From 0 to 100, evenly to the ear.")

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("[ROOM] N, +N or -N.", valueName: "room-and-volume"))
    var arguments: [String]

    @OptionGroup var target: GroupOption

    func run() throws {
        guard (1...2).contains(arguments.count), let volume = arguments.last,
            VolumeChange(parsing: volume) != nil
        else { throw ValidationError("give [ROOM] and N, +N or -N, of 0 to 100") }
        let room = arguments.count == 2 ? arguments.first : nil
        let status = try target.steer(ControlRequest(.volume, room: room, volume: volume))
        for entry in status.rooms where room == nil || entry.name.lowercased() == room?.lowercased() {
            if let volume = entry.volume { Terminal.write("\(entry.name) \(Int(volume.rounded()))\n") }
        }
    }
}

/// `tutti mute`.
struct MuteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Silences a room, or all of them; the music goes on unheard.",
        discussion:
            "`tutti mute`, `tutti mute kitchen`, and `tutti mute kitchen off` to hear it again as loud as before.")

    @Argument(help: ArgumentHelp("[ROOM] and on or off. (default: on)", valueName: "room-and-mode"))
    var arguments: [String] = []

    @OptionGroup var target: GroupOption

    func run() throws {
        let mode = arguments.last.flatMap { ["on": true, "off": false][$0] }
        let rooms = mode == nil ? arguments : arguments.dropLast()
        guard rooms.count <= 1 else { throw ValidationError("give [ROOM] and on or off") }
        let status = try target.steer(ControlRequest(.mute, room: rooms.first, muted: mode ?? true))
        for entry in status.rooms where rooms.isEmpty || entry.name.lowercased() == rooms[0].lowercased() {
            guard let volume = entry.volume else { continue }
            Terminal.write("\(entry.name) \(entry.muted == true ? "muted" : "\(Int(volume.rounded()))")\n")
        }
    }
}

/// `tutti rate`.
struct RateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate", abstract: "Plays faster or slower, with the pitch kept: for podcasts and audiobooks.",
        discussion: """
            From 0.5, half as fast, to 2; 1 plays what is in the file, bit by bit. It holds for the pieces that follow too. Made for \
            voices: music comes out rougher, and its notes below 65 Hz lose their pitch.
            """)

    @Argument(help: "0.5 to 2.")
    var rate: String

    @OptionGroup var target: GroupOption

    func run() throws {
        try target.steer(ControlRequest(.rate, rate: try Self.parse(rate)))
    }

    /// - Throws: `Failure` with exit status 2 for what is no rate.
    static func parse(_ text: String) throws -> Double {
        guard let rate = Double(text), PlayerConfiguration.rates.contains(rate) else {
            throw Failure("\(text): a rate is from 0.5 to 2", exitCode: 2)
        }
        return rate
    }
}
