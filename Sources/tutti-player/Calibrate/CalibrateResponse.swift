import TuttiCalibration
import TuttiChain
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiOutput
import TuttiRooms
import TuttiSchema
import TuttiSender

/// A sweep in one room, what a microphone makes of it, and the correction that follows.
struct CalibrateResponse {
    /// The room; nil where only the sweep's file is written.
    let name: String?
    let options: CalibrateResponseOptions
    /// The device; nil to play only.
    let microphone: String?
    let recordings: [String]
    let isJSON: Bool

    /// Seconds that a recording may be longer than the sweep: until the room is ready.
    private static let slack = 30.0
    /// Seconds of sound that may be missing: as much as the slowest clock makes.
    private static let acceptableLoss = 0.004

    func run() async throws {
        if let file = options.sweep {
            try AtomicFile.write(ResponseSweep.waveFile(), to: file, mode: 0o644, isDurable: false)
            if !isJSON { Terminal.write("sweep of \(Int(ResponseSweep.totalSeconds)) s written to \(file)\n") }
            return
        }
        guard let address = try RoomArgument.parse(name.map { [$0] } ?? []).first else { return }
        let settings = try options.settings()
        for file in [options.output, options.picture].compactMap(\.self) { try MeasurePicture.check(file) }
        if recordings.isEmpty || options.apply { try await check(address) }
        guard let measurement = try await measurement(address) else {
            Terminal.write("done; to evaluate a recording of the sweep, pass it to --response --recording\n")
            return
        }
        let proposal = CorrectionProposal(measurement, settings)
        let report = CalibrateResponseReport(
            room: address.label, target: options.target ?? "room", places: max(recordings.count, options.places ?? 1),
            measurement, proposal)
        if let picture = options.picture { try ResponsePicture(report.room, proposal).write(to: picture) }
        if let output = options.output { try write(proposal, report, to: output) }
        if isJSON {
            Terminal.write(json: report)
        } else {
            for line in report.lines() { Terminal.write(line + "\n") }
            if let output = options.output { Terminal.write("written to \(output)\n") }
        }
        if options.apply { try await apply(proposal.chain, to: address) }
    }

    /// Finds out whether the room is there, and silent where it has to play.
    private func check(_ address: RoomAddress) async throws {
        for place in try await PlayerSettings.find([address]) where recordings.isEmpty && place.look.isInUse {
            throw SenderError.roomRefused(
                place.address.label, reason: "a sender is playing there; stop the music there first")
        }
    }

    private func write(_ proposal: CorrectionProposal, _ report: CalibrateResponseReport, to path: String) throws {
        let text = proposal.text(title: "correction of \(report.room), target \(report.target)")
        try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644, isDurable: false)
    }

    /// Sets the room's chain of effects.
    private func apply(_ chain: EffectChain, to address: RoomAddress) async throws {
        let room = "\(address)"
        let present = try await RoomEffectsSetting.carryOut(nil, in: room, address)
        let corrected: EffectChain
        do throws(ChainError) {
            corrected = try EffectChain(parsing: present.chain.joined(separator: "\n")).corrected(by: chain)
        } catch {
            throw Failure("\(address.label): \(error)")
        }
        let listing = try await RoomEffectsSetting.carryOut(.chain(corrected), in: room, address)
        if !isJSON { Terminal.write(RoomEffectsSetting.text(listing)) }
    }

    // MARK: Measuring

    /// Measures; nil with --play-only.
    private func measurement(_ address: RoomAddress) async throws -> ResponseMeasurement? {
        var all: [ResponseMeasurement] = []
        for file in recordings {
            let (samples, sampleRate) = try CalibrateRecording.stereo(file, longest: ResponseMeasurement.longest)
            all.append(try Self.evaluate(samples, channels: 2, sampleRate: sampleRate, origin: file))
        }
        if recordings.isEmpty {
            for place in 1...max(1, options.places ?? 1) {
                if place > 1 { try await askToMove(to: place) }
                guard let found = try await listen(in: address) else { return nil }
                all.append(found)
            }
        }
        return ResponseMeasurement(meanOf: all)
    }

    private func askToMove(to place: Int) async throws {
        Terminal.writeError("move the microphone to place \(place) of \(options.places ?? 1) and press Enter ")
        guard readLine() != nil else { throw Failure("the microphone was not moved: standard input ended") }
    }

    /// Plays the sweep, and records it; nil with --play-only.
    private func listen(in address: RoomAddress) async throws -> ResponseMeasurement? {
        let capture = try openMicrophone()
        let programme = try await CalibratePlayer(samples: ResponseSweep.samples(), rooms: [address])
        if !isJSON {
            Terminal.write("playing a sweep in \(address.label) for \(Int(ResponseSweep.totalSeconds)) s …\n")
        }
        let outcome = await programme.run(view: CalibrateView())
        let recording = capture?.finish()
        guard outcome.exitCode == 0 else {
            throw Failure(outcome.message ?? "the sweep could not be played", exitCode: outcome.exitCode)
        }
        guard let recording else { return nil }
        if let failure = recording.failure { throw Failure(failure.description) }
        guard recording.lostSeconds <= Self.acceptableLoss else {
            throw Failure("the microphone lost \(Int(min(recording.lostSeconds, 1e6) * 1000)) ms of sound; try again")
        }
        return try Self.evaluate(
            recording.samples, channels: recording.channelCount, sampleRate: recording.sampleRate,
            origin: "the recording")
    }

    private func openMicrophone() throws -> CaptureRecorder? {
        guard let microphone else { return nil }
        do {
            return try CaptureRecorder(
                device: microphone, clock: HostClock(), longestSeconds: ResponseSweep.totalSeconds + Self.slack)
        } catch {
            throw Failure(
                "no microphone: \(error); choose another with --microphone (arecord -L lists them), or record with a "
                    + "phone (--play-only)", exitCode: 3)
        }
    }

    private static func evaluate(
        _ samples: [Float], channels: Int, sampleRate: Int, origin: String
    ) throws -> ResponseMeasurement {
        do {
            return try ResponseMeasurement(
                CalibrateRecording.loudest(samples, channels: channels), sampleRate: sampleRate)
        } catch {
            throw Failure(CalibrateResponseReport.text(error, origin))
        }
    }
}
