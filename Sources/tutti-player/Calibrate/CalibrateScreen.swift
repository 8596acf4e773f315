import ArgumentParser
import TuttiCalibration
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSender

/// Flashes on a screen with chirps in a room, and what a telephone's recording of both tells.
struct CalibrateScreen {
    private let screen: RoomAddress
    /// Those that chirp, when the pattern is played.
    private let rooms: [RoomAddress]
    private let recording: String?
    /// Metres from the loudspeaker to the telephone.
    private let distance: Double
    private let applies: Bool
    private let isJSON: Bool

    /// - Throws: `ValidationError` for a screen, a room or a distance that is none.
    init(
        screen: String, rooms: [String], groups: [[RoomAddress]], recording: String?, distances: [String],
        applies: Bool, isJSON: Bool
    ) throws {
        guard let address = try RoomArgument.parse([screen]).first else {
            throw ValidationError("--screen needs the name of a screen: tutti calibrate kitchen --screen tv")
        }
        self.screen = address
        var seen: Set<String> = [address.label.lowercased()]
        let chosen = try RoomArgument.parse(rooms) + groups.flatMap { $0 }
        self.rooms = chosen.filter { seen.insert($0.label.lowercased()).inserted }
        if recording == nil, chosen.isEmpty {
            throw ValidationError(
                "name the room whose loudspeaker chirps with the flashes: tutti calibrate kitchen --screen \(screen)")
        }
        self.recording = recording
        guard distances.count <= 1 else {
            throw ValidationError("--screen takes one --distance, of the room that chirps")
        }
        distance = try distances.first.map { try CalibrateRooms.distance($0).metres } ?? 0
        (self.applies, self.isJSON) = (applies, isJSON)
    }

    func run() async throws {
        guard let recording else { return try await play() }
        let lateness = try ScreenRecording(recording).lateness()
        var report = CalibrateScreenReport(
            screen: screen.label, lateness, flightTime: distance / CalibrateRooms.speedOfSound)
        if !isJSON {
            Terminal.write(report.text + "\n")
            if distance == 0 {
                Terminal.write(
                    "this assumes that the telephone was beside the loudspeaker; a metre is 2.9 ms (--distance)\n")
            }
        }
        if applies {
            try await store(&report)
        } else if !isJSON {
            Terminal.write("nothing saved; --apply adds this to the output delay of \(screen.label)\n")
        }
        if isJSON { Terminal.write(json: report) }
    }

    /// Plays the pattern, and says what to do with it.
    private func play() async throws {
        let places = [screen] + rooms
        for place in try await PlayerSettings.find(places) where place.look.isInUse {
            throw SenderError.roomRefused(
                place.address.label, reason: "a sender is playing there; stop the music there first")
        }
        let seconds = Int(FlashPattern.duration.rounded(.up))
        if !isJSON {
            Terminal.write(
                "film \(screen.label) with your telephone, so that the screen fills the picture and the loudspeaker is "
                    + "near, with 60 pictures a second if it can\n")
            try await askToBegin()
            Terminal.write("flashing for \(seconds) s …\n")
        }
        let programme = try await CalibratePlayer(film: FlashFilm.bytes(), rooms: places)
        let outcome = await programme.run(view: CalibrateView())
        guard outcome.exitCode == 0 else {
            throw Failure(outcome.message ?? "the flashes could not be played", exitCode: outcome.exitCode)
        }
        if !isJSON {
            Terminal.write(
                "done; to evaluate the recording: tutti calibrate --screen \(screen.label) --recording FILE\n")
        }
    }

    /// Waits until the camera runs, where somebody can say so.
    private func askToBegin() async throws {
        guard Terminal.isInteractive else { return }
        Terminal.write("start filming, and press Enter ")
        guard readLine() != nil else { throw Failure("nothing was played: standard input ended") }
    }

    private func store(_ report: inout CalibrateScreenReport) async throws {
        var before: OutputDelay?
        let lateMs = report.lateMs
        let (name, after) = try await DelayOfRoom.change(screen) { delay in
            before = delay
            return OutputDelay(milliseconds: delay.milliseconds + lateMs)
        }
        report.previousOutputDelayMs = before?.milliseconds
        report.outputDelayMs = after.milliseconds
        report.stored = true
        if !isJSON { Terminal.write("\(after.effect(on: name))\n") }
    }
}
