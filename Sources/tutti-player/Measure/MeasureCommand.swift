import ArgumentParser
import TuttiCommandLine
import TuttiHouse
import TuttiSchema
import TuttiSender

/// `tutti measure`.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Measures how far two rooms are apart, from outside.",
        discussion: """
            The rooms' own figures (`tutti status`) are what their speakers believe. This command looks at what left their cards: give it \
            both rooms on one stereo line-in, or a recording of them. It prints by how much the second room is behind the first, how \
            much that changes, and how far the figures can be trusted. docs/measure.md says how to connect the rooms and how to publish \
            the result.

            BY CABLE
              Connect the first room's line output (its left side) to the left channel of a stereo input, and the second room's left side to \
            the right channel. Play something in both rooms. The command only listens; it does not need to know what plays. \
            With --signal noise it plays noise in these two rooms itself, if both are silent.
              --recording takes a file from any stereo recorder instead: WAV, FLAC, or anything that `tutti play` takes. Use a lossless format.

            BY MICROPHONE
              --signal chirps is for rooms without cables: both chirp in turn, and a microphone of this host listens. Stand equally far \
            from both, or use --distance: 1 ms is 34 cm. --play-only plays the chirps and does not listen; give the recording of a phone to \
            --recording with the same rooms and the same --for.

            EXAMPLES
              tutti measure kitchen bath --input plughw:CARD=Device
              tutti measure kitchen bath --recording line.wav --picture offset.svg
              tutti measure kitchen bath --input plughw:1 --signal noise --for 2m --swap
              tutti measure kitchen bath --signal chirps --input plughw:1 --distance kitchen=2.5 --distance bath=3

            EXIT STATUS
              0 done   1 the recording doesn't tell   2 wrong usage   3 no such room, recording or input   4 a room is in use   5 nothing is playing
            """)

    @Argument(
        help: ArgumentHelp("Two rooms: the first on the left channel.", valueName: "name[@host[:port]]"),
        completion: NameCompletion.rooms)
    var rooms: [String] = []

    @Option(
        help: ArgumentHelp("The ALSA device that listens; arecord -L lists them. (default: default)", valueName: "pcm"))
    var input: String?

    @Option(help: ArgumentHelp("Look at this recording instead.", valueName: "file"), completion: .file())
    var recording: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("How long, 5s to 15m, as in 90s or 2m.", valueName: "time"))
    var length = "60s"

    @Option(help: "What is measured: the music that plays, or noise or chirps that this command plays.")
    var signal = MeasureSignal.music

    @Flag(help: "Measure twice, the second time with the cables swapped: what the two inputs differ by cancels.")
    var swap = false

    @Option(
        help: ArgumentHelp("With --recording: another one, with the cables swapped.", valueName: "file"),
        completion: .file())
    var swapped: String?

    @Flag(help: "Play the noise or the chirps and don't listen.")
    var playOnly = false

    @Option(
        help: ArgumentHelp(
            "How far the microphone is from a room's loudspeaker; may be repeated.", valueName: "room=metres"))
    var distance: [String] = []

    @Option(help: ArgumentHelp("Draw the offset over time into this file.", valueName: "svg"), completion: .file())
    var picture: String?

    @Flag(help: "The result as one line of JSON; see docs/json.md.")
    var json = false

    private static let seconds: ClosedRange<Int64> = 5...900

    /// Seconds to listen, or to chirp.
    private var wanted: Int64? { Schedule.duration(length).flatMap { Self.seconds.contains($0) ? $0 : nil } }

    func validate() throws {
        guard rooms.count == 2 else { throw ValidationError("name two rooms: tutti measure kitchen bath") }
        guard wanted != nil else { throw ValidationError("\(length): --for takes 5s to 15m, as in 90s or 2m") }
        if recording != nil, input != nil { throw ValidationError("choose one of --input and --recording") }
        if recording != nil, playOnly { throw ValidationError("choose one of --play-only and --recording") }
        if recording != nil, signal == .noise {
            throw ValidationError("a recording is looked at as it is; leave --signal noise out")
        }
        if swapped != nil, recording == nil { throw ValidationError("--swapped goes with --recording") }
        if swap, recording != nil { throw ValidationError("with --recording, give the second recording to --swapped") }
        if playOnly, signal == .music { throw ValidationError("--play-only goes with --signal noise or chirps") }
        if playOnly, picture != nil || swap || input != nil {
            throw ValidationError("--play-only doesn't listen: leave --input, --picture and --swap out")
        }
        if signal == .chirps, swap || swapped != nil {
            throw ValidationError("--swap is for two cables; chirps have one microphone")
        }
        if signal != .chirps, !distance.isEmpty { throw ValidationError("--distance goes with --signal chirps") }
    }

    func run() async throws {
        let seconds = Double(wanted ?? Self.seconds.lowerBound)
        let rooms = try MeasureRooms(self.rooms, distances: distance, chirpSeconds: signal == .chirps ? seconds : nil)
        if let picture { try MeasurePicture.check(picture) }
        if recording == nil { try await rooms.check(signal) }
        guard let report = try await report(rooms, seconds) else {
            Terminal.write(
                "played; give a recording of it to --recording\(signal == .chirps ? " with --signal chirps" : "")\n"
            )
            return
        }
        if let picture { try MeasurePicture(report).write(to: picture) }
        if json {
            Terminal.write(json: report)
        } else {
            for line in report.lines() { Terminal.write(line + "\n") }
        }
    }

    /// Measures; nil when nobody listened.
    private func report(_ rooms: MeasureRooms, _ seconds: Double) async throws -> MeasureReport? {
        if signal == .chirps {
            return try await MeasureByChirps(
                rooms: rooms, microphone: playOnly ? nil : input ?? "default", recording: recording, isQuiet: json
            ).run()
        }
        let takes: [MeasureTake]
        if let recording {
            takes = try [recording, swapped].compactMap(\.self).map { try MeasureTake(reading: $0) }
        } else {
            let line = MeasureByLine(
                rooms: rooms, device: playOnly ? nil : input ?? "default", seconds: seconds,
                playsNoise: signal == .noise,
                isQuiet: json)
            takes = try await line.takes(swapping: swap)
        }
        guard let first = takes.first else { return nil }
        let statuses: [RoomStatus?]
        if let known = first.statuses { statuses = known } else { statuses = await rooms.statuses() }
        return try MeasureReport(rooms, statuses, signal: signal, takes: takes)
    }
}

/// What is measured.
enum MeasureSignal: String, ExpressibleByArgument, CaseIterable, Encodable {
    /// Whatever plays.
    case music
    /// Noise that this program plays.
    case noise
    /// Chirps that this program plays in turn.
    case chirps
}
