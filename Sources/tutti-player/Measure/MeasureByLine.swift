import Glibc
import TuttiCalibration
import TuttiCommandLine
import TuttiHost
import TuttiOutput
import TuttiSchema
import TuttiSender

/// Both rooms on a stereo input of this host, while something plays.
struct MeasureByLine {
    let rooms: MeasureRooms
    /// The input; nil to play only.
    let device: String?
    /// How long to listen.
    let seconds: Double
    /// Whether the rooms play noise for it.
    let playsNoise: Bool
    let isQuiet: Bool

    /// Seconds that a recording may be longer than the noise: until the rooms are ready.
    private static let slack = 30.0
    /// Seconds after which an input that gives too little is not waited for any longer.
    private static let patience = 5.0
    /// When the rooms are asked how they stand, as a part of the time.
    private static let moment = 0.7

    /// - Returns: one recording, or two with the cables swapped between them; none when nobody listened.
    func takes(swapping: Bool) async throws -> [MeasureTake] {
        guard let first = try await take() else { return [] }
        guard swapping else { return [first] }
        Terminal.writeError(
            "swap the two cables at the input (\(rooms.second) left, \(rooms.first) right) and press Enter ")
        guard readLine() != nil else { throw Failure("the cables were not swapped: standard input ended") }
        guard let second = try await take() else { return [first] }
        return [first, second]
    }

    private func take() async throws -> MeasureTake? {
        let recorder = try open()
        if !isQuiet {
            let what =
                playsNoise ? "playing noise in \(rooms.first) and \(rooms.second)" : "recording from \(device ?? "")"
            Terminal.write("\(what) for \(Int(seconds)) s …\n")
        }
        async let statuses = statusesMeanwhile()
        if playsNoise { try await play() } else if let recorder { try await wait(for: recorder) }
        guard let recorder, let device, let recording = recorder.finish() else { return nil }
        var take = try MeasureTake(recording, device: device)
        take.statuses = await statuses
        return take
    }

    /// What the rooms say of themselves late in the measurement, when their figures have settled.
    private func statusesMeanwhile() async -> [RoomStatus?] {
        try? await Task.sleep(for: .seconds(seconds * Self.moment))
        return await rooms.statuses()
    }

    private func play() async throws {
        let programme = try await CalibratePlayer(
            samples: TestNoise.samples(seconds: seconds), rooms: rooms.calibration.addresses)
        let outcome = await programme.run(view: CalibrateView())
        if let failure = Failure(outcome) { throw failure }
    }

    private func wait(for recorder: CaptureRecorder) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds + Self.patience)
        while !recorder.isOver, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
    }

    private func open() throws -> CaptureRecorder? {
        guard let device else { return nil }
        do {
            return try CaptureRecorder(
                device: device, channelCounts: CaptureDevice.stereo, clock: HostClock(),
                longestSeconds: playsNoise ? seconds + Self.slack : seconds)
        } catch {
            throw Failure("no input: \(error); choose another with --input (arecord -L lists them)", exitCode: 3)
        }
    }
}
