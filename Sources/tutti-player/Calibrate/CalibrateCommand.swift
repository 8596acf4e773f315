import ArgumentParser
import TuttiCalibration
import TuttiCommandLine

/// `tutti calibrate`.
struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measures how late rooms and screens are, and corrects their output delays; or how a room sounds.",
        discussion: """
            What comes after a sound card (an amplifier, a television, a wireless link) delays the sound, and Tutti \
            cannot see it. This command measures that delay, by microphone or by ear, and saves it in the speakers \
            as the rooms' output delay, in steps of 0.1 ms.

            It compares all rooms with one of them, whose delay does not change: the one after --against, or else the \
            first one named. It plays nothing unless all rooms answer and are silent.

            A delay of 100 means "this output is 100 ms late": the room then plays 100 ms earlier. `tutti delay` \
            shows the delay and sets it by hand.

            BY MICROPHONE
            The rooms chirp in turn, 8 times each, half a second a turn, and this host's microphone listens. Put it \
            equally far from the loudspeakers, or give the distances with --distance: sound takes 2.9 ms for a metre. \
            Set the rooms about equally loud. The microphone must hear all of them. Compare the other rooms by ear, \
            or with a recording made elsewhere. The first arrival counts, so echoes do no harm, and noise does \
            little. The microphone's own delay cancels.

            BY RECORDING
            --play-only plays the chirps without recording them. Record them with a phone in the room, and pass the \
            file to --recording with the same rooms. Any format that `tutti play` accepts will do. The recording may \
            begin and end at any time.

            BY EAR
            --by-ear clicks once a second in two rooms at the same time. Stand where you hear both, and change the \
            delay until you hear one click. Right arrow: 1 ms more; left arrow: 1 ms less; up and down: 10 ms; shift \
            with an arrow, or . and , : 0.1 ms. Enter saves the delay, and q restores the old one. Without a \
            terminal, the command reads lines: +1, -0.1, ok, quit.

            HOW A ROOM SOUNDS
            --response measures one room's frequency response instead. The room plays a sweep from 20 Hz to 20 kHz, \
            12 s long, and this host's microphone listens; or pass recordings of the sweep to --recording, made at \
            several places if you like. The command proposes an equalizer against the room's resonances. It cuts \
            peaks and raises wide dips a little, up to 500 Hz (--upto). -o writes the proposal as the room's chain of \
            effects, and --apply sets it. --sweep writes the sweep to a file, to play it with anything. Turn off the \
            room's own effects first. docs/measure.md explains where to put the microphone.

            A SCREEN
            Televisions take 20 to 150 ms to show a picture. --screen measures that with a telephone. The screen \
            flashes for \(Int(FlashPattern.duration)) s, and with each flash the room that you name chirps. Film both, \
            so that the screen fills the picture, and pass the file to --recording. It may begin and end at any time. \
            The result is how many ms the pictures are late. --apply adds it to the screen's output delay: the screen \
            then shows everything earlier. Use each recording once; to check the result, film again.

            Hold the telephone still, near the loudspeaker, or give the distance with --distance: sound takes 2.9 ms \
            for a metre. Film with 60 pictures a second or more, in a room that is not bright. A camera doesn't say \
            when within a picture's time it takes light in. So the result can be a quarter of that time off: 4 ms at \
            60 pictures a second, 8 ms at 30. Slow motion is better still, if its file has sound.

            EXAMPLES
              tutti calibrate kitchen bath
              tutti calibrate kitchen --against bath --microphone plughw:1
              tutti calibrate kitchen bath --distance kitchen=3.5 --distance bath=1.2
              tutti calibrate kitchen bath --play-only
              tutti calibrate kitchen bath --recording memo.m4a --dry-run
              tutti calibrate kitchen --against bath --by-ear
              tutti calibrate kitchen --screen tv
              tutti calibrate --screen tv --recording clip.mp4 --distance kitchen=2 --apply
              tutti calibrate --response kitchen --places 3 -o kitchen.yaml --picture kitchen.svg
              tutti calibrate --response kitchen --recording sofa.m4a --recording chair.m4a --target flat
              tutti calibrate --response --sweep sweep.wav

            EXIT STATUS
              0 done, or you declined to save   1 failed, or the result is too uncertain
              2 wrong usage   3 no such room, recording or microphone   4 a room is in use
            """)

    @Argument(
        help: ArgumentHelp("A room to compare; repeat for more.", valueName: "name[@host[:port]]"),
        completion: NameCompletion.rooms)
    var rooms: [String] = []

    @Option(help: ArgumentHelp("Another way to name a room; repeat for more.", valueName: "name[@host[:port]]"))
    var room: [String] = []

    @Option(help: ArgumentHelp("A group of rooms; repeat for more.", valueName: "name"))
    var group: [String] = []

    @Option(
        help: ArgumentHelp(
            "The room to compare the others with. (default: the first one named)", valueName: "name[@host[:port]]"))
    var against: String?

    @Option(help: ArgumentHelp("The ALSA device to record from; arecord -L lists them.", valueName: "pcm"))
    var microphone = "default"

    @Option(
        help: ArgumentHelp(
            "Evaluate this recording of the chirps, the sweep or the flashes, instead of playing them.",
            valueName: "file"),
        completion: .file())
    var recording: [String] = []

    @Flag(help: "Play the chirps without recording them.")
    var playOnly = false

    @Flag(help: "Compare two rooms by ear.")
    var byEar = false

    @Option(
        help: ArgumentHelp(
            "How far the microphone is from a room's loudspeaker; repeat for more.", valueName: "room=metres"))
    var distance: [String] = []

    @Option(
        help: ArgumentHelp(
            "Measure how late this screen's pictures are, against the room's sound.", valueName: "name[@host[:port]]"),
        completion: NameCompletion.rooms)
    var screen: String?

    @Flag(help: "Save without asking.")
    var yes = false

    @Flag(help: "Save nothing.")
    var dryRun = false

    @Flag(help: "Print the result as one line of JSON; see docs/json.md.")
    var json = false

    @OptionGroup(title: "How a room sounds") var response: CalibrateResponseOptions

    func validate() throws {
        let ways = [!recording.isEmpty, playOnly, byEar].count { $0 }
        guard ways <= 1 else {
            throw ValidationError("use only one of --recording, --play-only and --by-ear")
        }
        guard screen == nil else { return try validateScreen() }
        guard !response.response else {
            if byEar || against != nil || !distance.isEmpty || !group.isEmpty {
                throw ValidationError(
                    "--response measures one room: remove --by-ear, --against, --distance and --group")
            }
            if yes || dryRun {
                throw ValidationError("--response saves nothing without --apply: remove --yes and --dry-run")
            }
            return try response.validate(rooms: rooms + room, recordings: recording, playsOnly: playOnly)
        }
        guard !response.isUsed else {
            throw ValidationError("\(response.names) need --response (or --screen, for --apply)")
        }
        guard recording.count <= 1 else { throw ValidationError("only --response takes several recordings") }
        if byEar, !distance.isEmpty { throw ValidationError("--distance cannot be used with --by-ear") }
        if yes, dryRun { throw ValidationError("use only one of --yes and --dry-run") }
    }

    private func validateScreen() throws {
        if response.response || playOnly || byEar || against != nil {
            throw ValidationError("--screen cannot be used with --response, --play-only, --by-ear and --against")
        }
        if yes || dryRun {
            throw ValidationError("--screen saves nothing without --apply: remove --yes and --dry-run")
        }
        guard response.names.isEmpty || response.names == "--apply" else {
            throw ValidationError("of the options for --response, --screen takes --apply only")
        }
        guard recording.count <= 1 else { throw ValidationError("--screen takes one recording") }
        if recording.isEmpty, response.apply || !distance.isEmpty {
            throw ValidationError("--apply and --distance go with --recording: play and film the flashes first")
        }
    }

    func run() async throws {
        let settings = try PlayerSettings.load()
        if let screen {
            return try await CalibrateScreen(
                screen: screen, rooms: self.rooms + room, groups: try group.map { try settings.group($0) },
                recording: recording.first, distances: distance, applies: response.apply, isJSON: json
            ).run()
        }
        if response.response {
            return try await CalibrateResponse(
                name: (self.rooms + room).first, options: response, microphone: playOnly ? nil : microphone,
                recordings: recording, isJSON: json
            ).run()
        }
        let rooms = try CalibrateRooms(
            named: self.rooms + room, groups: try group.map { try settings.group($0) }, against: against,
            distances: distance)
        let ear = byEar ? try CalibrateByEar(rooms: rooms, isDryRun: dryRun, isJSON: json) : nil
        // A recording needs no room until something is stored.
        if recording.isEmpty { try await rooms.check(mayPlay: false) }
        if let ear {
            try await ear.run()
        } else {
            try await listen(to: rooms)
        }
    }

    private func listen(to rooms: CalibrateRooms) async throws {
        let result: Calibration.Result
        if let recording = recording.first {
            result = try CalibrateRecording.read(recording, rooms: rooms)
        } else {
            let heard = try await CalibrateByMicrophone(
                rooms: rooms, microphone: playOnly ? nil : microphone, isQuiet: json
            ).run()
            guard let heard else {
                Terminal.write("done; to evaluate a recording of the chirps, pass it to --recording\n")
                return
            }
            result = heard
        }
        let report = CalibrateReport(result, rooms: rooms)
        try await CalibrateStoring(report: report, rooms: rooms, storesUnasked: yes, isDryRun: dryRun, isJSON: json)
            .run()
    }
}
