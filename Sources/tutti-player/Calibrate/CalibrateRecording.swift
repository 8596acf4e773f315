import TuttiAssets
import TuttiCalibration
import TuttiCommandLine
import TuttiCore

/// Recordings of the chirps, and what they tell.
enum CalibrateRecording {
    private static let blockFrames = 1 << 16

    /// Reads a file of any format and analyses it.
    static func read(_ path: String, rooms: CalibrateRooms) throws -> Calibration.Result {
        let (samples, sampleRate) = try stereo(path, longest: Calibration.longestRecording)
        return try analyse(samples, channels: 2, sampleRate: sampleRate, rooms: rooms)
    }

    /// Reads a file of any format as two interleaved channels. Of a recording of more than `longest` seconds a little
    /// more than these is read, so that it is noticed.
    static func stereo(_ path: String, longest: Double) throws -> (samples: [Float], sampleRate: Int) {
        let asset = try Asset.open(AssetInput(uri: path))
        let sampleRate = asset.info.sampleRate
        let limit = Int(longest) * sampleRate * 2
        var samples: [Float] = []
        while samples.count <= limit, let block = try asset.read(maximumFrames: blockFrames) {
            samples += block.samples
        }
        return (samples, sampleRate)
    }

    /// - Parameter samples: interleaved.
    static func analyse(
        _ samples: [Float], channels: Int, sampleRate: Int, rooms: CalibrateRooms
    ) throws -> Calibration.Result {
        do {
            return try Calibration.analyse(
                loudest(samples, channels: channels), sampleRate: sampleRate, schedule: rooms.schedule,
                reference: rooms.reference)
        } catch {
            throw Failure(text(error, rooms))
        }
    }

    /// The channel with the most sound: mixed, two microphones would blur the instant.
    static func loudest(_ samples: [Float], channels: Int) -> [Float] {
        guard channels > 1 else { return samples }
        let all = (0..<channels).map { channel in
            stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
        }
        let energies = all.map { $0.reduce(0.0) { $1.isFinite ? $0 + Double($1) * Double($1) : $0 } }
        let best = energies.indices.max { energies[$0] < energies[$1] } ?? 0
        return all[best]
    }

    private static func text(_ error: CalibrationError, _ rooms: CalibrateRooms) -> String {
        switch error {
        case .sampleRate(let rate):
            "the recording has a sample rate of \(rate) Hz; chirps need \(Calibration.lowestSampleRate) Hz or more"
        case .length(let seconds):
            "the recording lasts \(Int(seconds)) s; the chirps of these rooms take \(Int(rooms.schedule.duration)) s, "
                + "and a recording may last \(Int(Calibration.longestRecording)) s at most"
        case .silent: "the recording is silent; is the microphone muted?"
        case .notHeard(let room, let heard):
            "only \(heard) of \(rooms.schedule.repeats) chirps of \(rooms.name(room)) were heard: turn it up, put "
                + "the microphone nearer, reduce noise, or compare by ear (tutti calibrate --by-ear)"
        case .unsteady(let room, let milliseconds):
            "the chirps of \(rooms.name(room)) vary too much ("
                + "\(CalibrateReport.number(milliseconds, digits: 2)) ms): check `tutti watch --sync` while something "
                + "plays, reduce noise, or compare by ear (tutti calibrate --by-ear)"
        }
    }
}
