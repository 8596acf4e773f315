import ArgumentParser
import TuttiCalibration
import TuttiCommandLine

/// `tutti calibrate`.
struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate", abstract: "Measures how late rooms sound, and corrects it.",
        discussion: """
            What comes after a sound card (an amplifier, a television, a wireless link) takes time that no computer \
            sees. This command hears it, or lets you hear it, and stores it in the rooms' speakers as their output delay, \
            in steps of 0.1 ms. All rooms are compared with one of them, whose delay stays as it is: the one after \
            --against, or else the first one named. Nothing is played unless all of them answer and are silent.

            A delay of 100 says "this output is 100 ms late": it then plays 100 ms earlier. `tutti delay` shows and sets \
            it by hand.

            BY MICROPHONE
              The rooms chirp in turn, 8 times each, for half a second a turn; the microphone of this host listens. Put it \
            equally far from the loudspeakers, or say how far they are with --distance: sound needs 2.9 ms for a metre. \
            Set the rooms about equally loud. It must hear all of them: rooms that it cannot are compared by ear, or \
            with a recording that is made elsewhere. The first arrival counts, so echoes do no harm; noise does \
            little. What the microphone itself takes cancels.

            BY RECORDING
              --play-only plays the chirps and does not listen: record them with a telephone, in the room, and give the file \
            to --recording with the same rooms. Any format that `tutti play` takes will do. It may begin and end at \
            any time.

            BY EAR
              --by-ear clicks once a second in two rooms at once. Stand where you hear both and change the delay until \
            they are one: right arrow 1 ms more, left arrow 1 ms less, up and down 10 ms, shift with an arrow or . and , \
            0.1 ms; Enter stores, q puts it back as it was. Without a terminal it reads lines: +1, -0.1, ok, quit.

            EXAMPLES
              tutti calibrate kitchen bath
              tutti calibrate kitchen --against bath --microphone plughw:1 --distance kitchen=3.5 --distance bath=1.2
              tutti calibrate kitchen bath --play-only
              tutti calibrate kitchen bath --recording memo.m4a --dry-run
              tutti calibrate kitchen --against bath --by-ear

            EXIT STATUS
              0 done, or not wanted   1 failed, or not to be trusted   2 wrong usage   3 no such room, recording or \
            microphone   4 a room is being played in
            """)

    @Argument(help: ArgumentHelp("A room.", valueName: "name[@host[:port]]"), completion: NameCompletion.rooms)
    var rooms: [String] = []

    @Option(help: ArgumentHelp("A room, as in `tutti play`; may be repeated.", valueName: "name[@host[:port]]"))
    var room: [String] = []

    @Option(help: ArgumentHelp("A group of rooms; may be repeated.", valueName: "name"))
    var group: [String] = []

    @Option(help: ArgumentHelp("The room that the others are compared with.", valueName: "name[@host[:port]]"))
    var against: String?

    @Option(help: ArgumentHelp("The ALSA device that listens; arecord -L lists them.", valueName: "pcm"))
    var microphone = "default"

    @Option(help: ArgumentHelp("Do not play; look at this recording of the chirps.", valueName: "file"))
    var recording: String?

    @Flag(help: "Play the chirps and do not listen.")
    var playOnly = false

    @Flag(help: "Compare two rooms by ear.")
    var byEar = false

    @Option(
        help: ArgumentHelp(
            "How far the microphone is from a room's loudspeaker; may be repeated.", valueName: "room=metres"))
    var distance: [String] = []

    @Flag(help: "Store without asking.")
    var yes = false

    @Flag(help: "Store nothing.")
    var dryRun = false

    @Flag(help: "The result as one line of JSON; see docs/json.md.")
    var json = false

    func validate() throws {
        let ways = [recording != nil, playOnly, byEar].count { $0 }
        guard ways <= 1 else {
            throw ValidationError("choose one of --recording, --play-only and --by-ear")
        }
        if byEar, !distance.isEmpty { throw ValidationError("--distance is for a microphone") }
        if yes, dryRun { throw ValidationError("choose one of --yes and --dry-run") }
    }

    func run() async throws {
        let settings = try Settings.load()
        let rooms = try CalibrateRooms(
            named: self.rooms + room, groups: try group.map { try settings.group($0) }, against: against,
            distances: distance)
        let ear = byEar ? try CalibrateByEar(rooms: rooms, isDryRun: dryRun, isJSON: json) : nil
        // A recording needs no room until something is stored.
        if recording == nil { try await rooms.check(mayPlay: false) }
        if let ear {
            try await ear.run()
        } else {
            try await listen(to: rooms)
        }
    }

    private func listen(to rooms: CalibrateRooms) async throws {
        let result: Calibration.Result
        if let recording {
            result = try CalibrateRecording.read(recording, rooms: rooms)
        } else {
            let heard = try await CalibrateByMicrophone(
                rooms: rooms, microphone: playOnly ? nil : microphone, isQuiet: json
            ).run()
            guard let heard else {
                Terminal.write("the chirps have been played; give a recording of them to --recording\n")
                return
            }
            result = heard
        }
        let report = CalibrateReport(result, rooms: rooms)
        try await CalibrateStoring(report: report, rooms: rooms, storesUnasked: yes, isDryRun: dryRun, isJSON: json)
            .run()
    }
}
