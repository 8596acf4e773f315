import TuttiCalibration
import TuttiCommandLine
import TuttiCore
import TuttiHost
import TuttiOutput
import TuttiRooms
import TuttiSender

/// Chirps in the rooms, and a microphone of this host that listens.
struct CalibrateByMicrophone {
    let rooms: CalibrateRooms
    /// The device; nil to play only.
    let microphone: String?
    let isQuiet: Bool

    /// Seconds that a recording may be longer than the schedule: until the rooms are ready.
    private static let slack = 30.0
    /// Seconds of sound that may be missing before a recording is of no use.
    private static let acceptableLoss = 0.03

    /// - Returns: what was heard; nil when nobody listened.
    func run() async throws -> Calibration.Result? {
        let schedule = rooms.schedule
        let capture = try openMicrophone(schedule)
        var parts: [String: [TimeRange]] = [:]
        for (index, address) in rooms.addresses.enumerated() { parts[address.label] = schedule.parts(ofRoom: index) }
        let programme = try await CalibratePlayer(samples: schedule.samples(), rooms: rooms.addresses, parts: parts)
        if !isQuiet {
            let names = rooms.addresses.map(\.label).joined(separator: ", ")
            Terminal.write("playing chirps in \(names) for \(Int(schedule.duration.rounded(.up))) s …\n")
        }
        let outcome = await programme.run(view: CalibrateView())
        let recording = capture?.finish()
        guard outcome.exitCode == 0 else {
            throw Failure(outcome.message ?? "the chirps could not be played", exitCode: outcome.exitCode)
        }
        guard let recording else { return nil }
        if let failure = recording.failure { throw Failure(failure.description) }
        guard recording.lostSeconds <= Self.acceptableLoss else {
            throw Failure("the microphone lost \(Int(recording.lostSeconds * 1000)) ms of sound; try again")
        }
        return try CalibrateRecording.analyse(
            recording.samples, channels: recording.channelCount, sampleRate: recording.sampleRate, rooms: rooms)
    }

    private func openMicrophone(_ schedule: ChirpSchedule) throws -> CaptureRecorder? {
        guard let microphone else { return nil }
        do {
            return try CaptureRecorder(
                device: microphone, clock: HostClock(), longestSeconds: schedule.duration + Self.slack)
        } catch {
            throw Failure(
                "no microphone: \(error); choose another with --microphone (arecord -L lists them), or use --by-ear",
                exitCode: 3)
        }
    }
}
