import ArgumentParser
import TuttiCommandLine
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti measure`.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Measures how far two rooms are apart, from outside.",
        discussion: """
            The figures in `tutti status` are the speakers' own estimates. This command measures what really left \
            their cards. Give it both rooms on one stereo line-in, or a recording of them. It prints how late the \
            second room is compared with the first, how much that changes, and how certain the figures are. \
            docs/measure.md explains how to connect the rooms and how to publish the result.

            BY CABLE
            Connect the left line output of the first room to the left channel of a stereo input, and the left line \
            output of the second room to the right channel. Play something in both rooms. The command only listens, \
            and does not need to know what plays. With --signal noise, it plays noise in these two rooms, if both are \
            silent. --recording evaluates a file from any stereo recorder instead, in any format that `tutti play` \
            accepts. Use a lossless one.

            BY MICROPHONE
            --signal chirps is for rooms without cables: both chirp in turn, and a microphone of this host listens. \
            Put it equally far from both, or use --distance: 1 ms is 34 cm. --play-only plays the chirps without \
            recording them. Record them with a phone, and pass the recording to --recording with the same rooms and \
            the same --for.

            EXAMPLES
              tutti measure kitchen bath --input plughw:CARD=Device
              tutti measure kitchen bath --recording line.wav --picture offset.svg
              tutti measure kitchen bath --input plughw:1 --signal noise --for 2m --swap
              tutti measure kitchen bath --signal chirps --input plughw:1 --distance bath=3

            EXIT STATUS
              0 done   1 the recording can't be evaluated   2 wrong usage
              3 no such room, recording or input   4 a room is in use   5 nothing is playing
            """)

    @Argument(
        help: ArgumentHelp("Two rooms: the first on the left channel.", valueName: "name[@host[:port]]"),
        completion: NameCompletion.rooms)
    var rooms: [String] = []

    @Option(
        help: ArgumentHelp(
            "The ALSA device to record from; arecord -L lists them. (default: default)", valueName: "pcm"))
    var input: String?

    @Option(help: ArgumentHelp("Evaluate this recording instead.", valueName: "file"), completion: .file())
    var recording: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to record, 5s to 15m, such as 90s or 2m.", valueName: "time"))
    var length = "60s"

    @Option(help: "What to measure: the music that plays, or noise or chirps that this command plays.")
    var signal = MeasureSignal.music

    @Flag(
        help:
            "Measure twice, the second time with the cables swapped, so that the difference between the inputs cancels."
    )
    var swap = false

    @Option(
        help: ArgumentHelp("With --recording: a second recording, made with the cables swapped.", valueName: "file"),
        completion: .file())
    var swapped: String?

    @Flag(help: "Play the noise or the chirps without recording them.")
    var playOnly = false

    @Option(
        help: ArgumentHelp(
            "How far the microphone is from a room's loudspeaker; repeat for more.", valueName: "room=metres"))
    var distance: [String] = []

    @Option(
        help: ArgumentHelp("Write a plot of the offset over time to this file.", valueName: "svg"), completion: .file())
    var picture: String?

    @Flag(help: "Print the result as one line of JSON; see docs/json.md.")
    var json = false

    private static let seconds: ClosedRange<Int64> = 5...900

    /// Seconds to listen, or to chirp.
    private var wanted: Int64? { Schedule.duration(length).flatMap { Self.seconds.contains($0) ? $0 : nil } }

    func validate() throws {
        guard rooms.count == 2 else { throw ValidationError("name two rooms: tutti measure kitchen bath") }
        guard wanted != nil else { throw ValidationError("\(length): --for takes 5s to 15m, such as 90s or 2m") }
        if recording != nil, input != nil { throw ValidationError("use only one of --input and --recording") }
        if recording != nil, playOnly { throw ValidationError("use only one of --play-only and --recording") }
        if recording != nil, signal == .noise {
            throw ValidationError("--signal noise cannot be used with --recording")
        }
        if swapped != nil, recording == nil { throw ValidationError("--swapped needs --recording") }
        if swap, recording != nil {
            throw ValidationError("--swap cannot be used with --recording; pass the second recording to --swapped")
        }
        if playOnly, signal == .music { throw ValidationError("--play-only needs --signal noise or --signal chirps") }
        if playOnly, picture != nil || swap || input != nil {
            throw ValidationError("--play-only records nothing: remove --input, --picture and --swap")
        }
        if signal == .chirps, swap || swapped != nil {
            throw ValidationError("--swap cannot be used with --signal chirps")
        }
        if signal != .chirps, !distance.isEmpty { throw ValidationError("--distance needs --signal chirps") }
    }

    func run() async throws {
        let seconds = Double(wanted ?? Self.seconds.lowerBound)
        let rooms = try MeasureRooms(self.rooms, distances: distance, chirpSeconds: signal == .chirps ? seconds : nil)
        if let picture { try MeasurePicture.check(picture) }
        if recording == nil { try await rooms.check(signal) }
        guard let report = try await report(rooms, seconds) else {
            let option = signal == .chirps ? " with --signal chirps" : ""
            Terminal.write("done; to evaluate a recording of it, pass it to --recording\(option)\n")
            return
        }
        if let picture { try MeasurePicture(report).write(to: picture) }
        if json {
            Terminal.write(json: report)
        } else {
            for line in report.lines() { Terminal.write(line + "\n") }
        }
    }

    /// Measures; nil with --play-only.
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
