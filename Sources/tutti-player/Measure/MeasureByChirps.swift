import TuttiCalibration
import TuttiSender

/// Both rooms by one microphone, while they chirp in turn.
struct MeasureByChirps {
    let rooms: MeasureRooms
    /// The microphone; nil to play only.
    let microphone: String?
    /// A recording of the chirps to look at instead of playing them.
    let recording: String?
    let isQuiet: Bool

    /// - Returns: nil when nobody listened.
    func run() async throws -> MeasureReport? {
        let result: Calibration.Result
        let calibration = rooms.calibration
        if let recording {
            result = try CalibrateRecording.read(recording, rooms: calibration)
        } else {
            let heard = try await CalibrateByMicrophone(rooms: calibration, microphone: microphone, isQuiet: isQuiet)
                .run()
            guard let heard else { return nil }
            result = heard
        }
        // Calibration has its rooms in the order of their names, and the first of the command as its reference.
        let first = calibration.reference
        let second = first == 0 ? 1 : 0
        let offsets = result.offsets(of: second, behind: first, distance: calibration.flightTime(of: second))
        return MeasureReport(
            rooms, await rooms.statuses(), OffsetStatistics(offsets, floor: 0),
            origin: recording ?? microphone ?? "", recorderPpm: result.recorderPpm)
    }
}
