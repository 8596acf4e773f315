import ArgumentParser
import TuttiAssets
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
            and joins in step.

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
        let configuration = try playerConfiguration(settings)
        let runtime = Settings.paths.runtimeDirectory
        do {
            let player = try Player(configuration)
            let server = try await ControlServer(for: player, runtimeDirectory: runtime)
            let outcome = await Session(player: player, server: server, view: view).run()
            guard outcome.exitCode != 0 else { return }
            throw Failure(outcome.message ?? "it failed", exitCode: outcome.exitCode)
        } catch let error as SenderError {
            throw Failure(error)
        }
    }

    private var view: any View {
        if json { return JSONView() }
        return Terminal.isInteractive ? ProgressLines() : PlainLines()
    }

    private func playerConfiguration(_ settings: Settings) throws -> PlayerConfiguration {
        let rooms = try settings.rooms(named: room, groups: group)
        do {
            let rawFormat = try format.map { text throws(AssetError) in try RawFormat(parsing: text) }
            let inputs = try InputResolver.resolve(input, stdinFormat: rawFormat)
            guard inputs.count(where: \.isStandardInput) <= 1 else {
                throw ValidationError("standard input can be played once only")
            }
            var configuration = PlayerConfiguration(
                inputs: inputs, rooms: rooms, startAt: try start(), encoding: try encoding(settings),
                allowsMissingRooms: any,
                identity: try SenderIdentity.load(from: Settings.paths.stateDirectory),
                clock: try HostClock.system(environment: ProcessEnvironment.current))
            if let rate { configuration.rate = try RateCommand.parse(rate) }
            if let crossfade = crossfade ?? settings.text("crossfade") {
                configuration.crossfade = try CrossfadeCommand.parse(crossfade)
            }
            return configuration
        } catch let error as AssetError {
            if case .badRawFormat = error { throw ValidationError(error.description) }
            throw Failure(error.description, exitCode: 3)
        } catch let error as HostError {
            throw Failure(error.description)
        } catch let error as SenderError {
            throw Failure(error)
        }
    }

    private func start() throws -> MediaTime {
        guard let startAt else { return .zero }
        guard let time = SeekTarget.time(startAt) else {
            throw ValidationError("\(startAt): a time is seconds, M:SS or H:MM:SS")
        }
        return time
    }

    private func encoding(_ settings: Settings) throws -> EncodingOptions {
        let name = codec ?? settings.text("codec") ?? AudioFormat.Codec.flac.rawValue
        if name == EncodingOptions.originalName {
            guard bitrate == nil else { throw ValidationError("a bit rate is for --codec opus alone") }
            return try .original
        }
        guard let chosen = AudioFormat.Codec(rawValue: name) else {
            throw ValidationError("\(name): the codec is original, flac, opus or pcm")
        }
        // A bit rate in the configuration is for Opus; with another codec it waits.
        let configured = chosen == .opus ? settings.text("bitrate").flatMap { Int($0) } : nil
        return try EncodingOptions(codec: chosen, bitrate: (bitrate ?? configured).map { $0 * 1000 })
    }
}
