import ArgumentParser
import TuttiCalibration
import TuttiCommandLine
import TuttiHost

/// The options of `tutti calibrate --response`.
struct CalibrateResponseOptions: ParsableArguments {
    @Flag(help: "Measure one room's frequency response, and propose a correction.")
    var response = false

    @Option(
        help: ArgumentHelp("Write the sweep to this WAV file, and do nothing else.", valueName: "file"),
        completion: .file())
    var sweep: String?

    @Option(
        help: ArgumentHelp(
            "What the room should be like: flat, room (more bass, a little less treble), or a file with a frequency "
                + "in Hz and a level in dB on each line. (default: room)", valueName: "flat|room|file"),
        completion: .file())
    var target: String?

    @Option(
        help: ArgumentHelp(
            "The frequency up to which the room is corrected, 100 to 16000. (default: 500)", valueName: "Hz"))
    var upto: Double?

    @Option(
        help: ArgumentHelp(
            "Measure at so many places of the microphone, 1 to 10, and use the mean. (default: 1)", valueName: "number")
    )
    var places: Int?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write the proposal to this file, as a chain of effects.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("Write a picture of the room before and after to this file.", valueName: "svg"),
        completion: .file())
    var picture: String?

    @Flag(
        help: "Set the proposal as the room's chain of effects; with --screen, add the result to its output delay.")
    var apply = false

    private static let mostPlaces = 10

    /// What is given of it, for people.
    var names: String {
        let given = [
            ("--sweep", sweep != nil), ("--target", target != nil), ("--upto", upto != nil),
            ("--places", places != nil), ("--output", output != nil), ("--picture", picture != nil),
            ("--apply", apply),
        ]
        return given.filter(\.1).map(\.0).joined(separator: ", ")
    }

    /// Whether one of them is given without --response.
    var isUsed: Bool { !names.isEmpty }

    /// - Throws: `ValidationError` for what does not go together.
    func validate(rooms: [String], recordings: [String], playsOnly: Bool) throws {
        if sweep != nil {
            guard rooms.isEmpty, recordings.isEmpty, !playsOnly, names == "--sweep" else {
                throw ValidationError("--sweep only writes a file: tutti calibrate --response --sweep sweep.wav")
            }
            return
        }
        guard rooms.count == 1 else {
            throw ValidationError("--response measures one room: tutti calibrate --response kitchen")
        }
        if let upto, !CorrectionProposal.upperLimits.contains(upto) {
            throw ValidationError("--upto takes 100 to 16000 Hz")
        }
        if let places, !(1...Self.mostPlaces).contains(places) {
            throw ValidationError("--places takes 1 to \(Self.mostPlaces)")
        }
        if playsOnly, isUsed {
            throw ValidationError("--play-only records nothing: remove \(names)")
        }
        if !recordings.isEmpty, places != nil {
            throw ValidationError("use only one of --places and --recording; repeat --recording for more places")
        }
        guard recordings.count <= Self.mostPlaces else {
            throw ValidationError("too many recordings: at most \(Self.mostPlaces)")
        }
    }

    /// - Throws: `ProgramFailure` with status 2 for a target that is none, 3 for one that cannot be read.
    func settings() throws -> CorrectionProposal.Settings {
        CorrectionProposal.Settings(target: try chosenTarget(), upTo: upto ?? CorrectionProposal.usualLimit)
    }

    private func chosenTarget() throws -> ResponseTarget {
        guard let target, target != "room" else { return .room }
        if target == "flat" { return .flat }
        guard let bytes = try AtomicFile.read(target) else {
            throw Failure("\(target): no such target; give flat, room or a file", exitCode: 3)
        }
        do {
            return try ResponseTarget(text: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw Failure("\(target)\(Self.text(error))", exitCode: 2)
        }
    }

    private static func text(_ error: ResponseTarget.Failure) -> String {
        switch error {
        case .line(let line): ":\(line): write a frequency (5 to 48000 Hz) and a level (-40 to 40 dB), such as 100 3"
        case .order(let line): ":\(line): the frequency must be above that of the line before"
        case .count(let count): count == 0 ? ": no levels; write lines such as 100 3" : ": more than 1000 levels"
        }
    }
}
