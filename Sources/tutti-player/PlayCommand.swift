import ArgumentParser
import Tutti
import TuttiCore
import TuttiHost
import TuttiSender

/// `tutti play`.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Plays files, folders, addresses or standard input in rooms.",
        discussion: """
            All rooms begin at one instant, once each is ready. The pieces follow each other without a gap. An input that \
            cannot be played is named and left out, and the exit status is 1 then. A room that drops out is tried again \
            and joins in step. A room that another sender plays in is taken from it; if one is taken from this, the others \
            play on, and when it was the only one the exit status is 4.

            --here makes a room of this host's own card, called 'here', for as long as this plays. It remembers its volume. Where \
            there is no such card the exit status is 3.

            INPUT is a file, a folder (in natural order), an http:// or https:// address, a playlist (m3u, pls, cue), or \
            - for standard input: WAV or another format, or raw samples described by --format.

            With --codec original the packets of AAC, MP3, ALAC, FLAC, Vorbis and Opus files, and the samples of WAV and \
            AIFF, travel as they lie in the file: nothing is lost, and next to nothing computed here. Other pieces, and \
            speakers that cannot decode these, get FLAC.
            """)

    @Argument(help: "What to play, in order.")
    var input: [String]

    @Option(
        help: ArgumentHelp(
            "A room to play in; repeat for more. With an address no mDNS is needed.", valueName: "name[@host[:port]]"))
    var room: [String] = []

    @Option(help: ArgumentHelp("A group of rooms, as `tutti group` makes them; may be repeated.", valueName: "name"))
    var group: [String] = []

    @Flag(help: "Play on this host's own card too, as a room called 'here', or there alone.")
    var here = false

    @Option(
        help: ArgumentHelp(
            "With --here: an ALSA PCM, file:PATH.wav or null. (default: default)", valueName: "name"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "How the sound travels: flac, opus, pcm, or original. (default: flac)", valueName: "codec"))
    var codec: String?

    @Option(help: ArgumentHelp("Opus: kilobits a second, 64 to 320. (default: 160)", valueName: "kb/s"))
    var bitrate: Int?

    @Option(help: ArgumentHelp("Where to begin, in seconds or M:SS.", valueName: "time"))
    var startAt: String?

    @Option(
        help: ArgumentHelp(
            "How fast to play, 0.5 to 2, with the pitch kept; for voices. (default: 1)", valueName: "rate"))
    var rate: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many seconds a piece and the next are heard together, 0 to 12, one fading out as the other comes in. (default: 0)",
            valueName: "seconds"))
    var crossfade: String?

    @Option(
        help: ArgumentHelp("What raw samples on standard input are, as in 48000:16:2.", valueName: "rate:bits:channels")
    )
    var format: String?

    @Flag(help: "Play in the rooms that answer, even if others do not.")
    var any = false

    @Flag(help: "Be the sender itself, in the foreground (it always is, so far).")
    var standalone = false

    @Flag(help: "Print events as lines of JSON instead of progress; see docs/json.md.")
    var json = false

    func run() async throws {
        let settings = try await Settings.load()
        let inputs = try Inputs.resolve(input, format: format)
        let outputs = try outputs(settings)
        do {
            let player = try await QueuePlayer(
                items: inputs.map { PlayerItem($0) }, outputs: outputs, configuration: try configuration(settings))
            if let start = try start() { try await player.seek(to: start) }
            let server = try await ControlServer(for: player.player, runtimeDirectory: Settings.paths.runtimeDirectory)
            if let failure = Failure(await Session(player: player, server: server, view: view).run()) { throw failure }
        } catch let error as QueuePlayerError {
            throw Failure(error)
        } catch let error as SenderError {
            throw Failure(error)
        }
    }

    private var view: any View {
        if json { return JSONView() }
        return Terminal.isInteractive ? ProgressLines() : PlainLines()
    }

    private func outputs(_ settings: Settings) throws -> [QueuePlayer.Output] {
        guard here || device == nil else { throw ValidationError("a device is for --here alone") }
        let rooms = try settings.rooms(named: room, groups: group, isHere: here)
        return rooms.map { .room($0) } + (here ? [.local(device: device ?? "default")] : [])
    }

    private func configuration(_ settings: Settings) throws -> QueuePlayer.Configuration {
        var configuration = try QueuePlayer.Configuration.ofThisProgram()
        configuration.codec = try codec(settings)
        configuration.allowsMissingRooms = any
        if let rate { configuration.defaultRate = try RateCommand.parse(rate) }
        if let crossfade = crossfade ?? settings.text("crossfade") {
            configuration.crossfade = try CrossfadeCommand.parse(crossfade).seconds
        }
        return configuration
    }

    private func start() throws -> MediaTime? {
        guard let startAt else { return nil }
        guard let time = SeekTarget.time(startAt) else {
            throw ValidationError("\(startAt): a time is seconds, M:SS or H:MM:SS")
        }
        return time
    }

    private func codec(_ settings: Settings) throws -> QueuePlayer.Codec {
        let name = codec ?? settings.text("codec") ?? "flac"
        guard name == "opus" || bitrate == nil else { throw ValidationError("a bit rate is for --codec opus alone") }
        switch name {
        case "flac": return .flac
        case "pcm": return .pcm
        case EncodingOptions.originalName: return .original
        case "opus":
            // A bit rate in the configuration is for Opus; with another codec it waits.
            let configured = bitrate ?? settings.text("bitrate").flatMap { Int($0) }
            return configured.map { .opus(bitrate: $0 * 1000) } ?? .opus()
        default: throw ValidationError("\(name): the codec is original, flac, opus or pcm")
        }
    }
}
