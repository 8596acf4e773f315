import TuttiCalibration
import TuttiCore

/// Makes recordings of a schedule by formula.
struct Studio {
    /// A way that the sound of a room takes.
    struct Path {
        var seconds: Double
        var gain: Double
    }

    var schedule: ChirpSchedule
    var sampleRate = 48_000
    /// How much faster the recorder's clock runs.
    var recorderPpm = 0.0
    /// Seconds of the recording before the schedule begins; negative when it begins later.
    var lead = 0.7
    var seconds: Double?
    /// Each room's ways; a room without any is silent.
    var rooms: [[Path]]
    /// Standard deviation of white noise.
    var noise = 0.0
    /// Seconds by which single chirps go wrong, one standard deviation.
    var wander = 0.0
    var seed: UInt64 = 1

    /// Root mean square of a chirp of full scale, in its middle.
    static let chirpLevel = 0.5.squareRoot()

    func recording() -> [Float] {
        var random = SplitMix64(seed: seed)
        let length = Int((seconds ?? lead + schedule.duration) * Double(sampleRate))
        var samples = [Float](repeating: 0, count: length)
        let rate = Double(sampleRate) * (1 + recorderPpm * 1e-6)
        for (room, paths) in rooms.enumerated() {
            for instant in schedule.instants(ofRoom: room) {
                let wrong = wander * random.gaussian()
                for path in paths {
                    let begin = (instant + lead + path.seconds + wrong) * rate
                    let first = Int(begin.rounded(.up))
                    for frame in max(0, first)..<max(0, min(length, first + Int(Chirp.duration * rate) + 1)) {
                        samples[frame] += Float(path.gain * Chirp.value(at: (Double(frame) - begin) / rate))
                    }
                }
            }
        }
        if noise > 0 { for frame in samples.indices { samples[frame] += Float(noise * random.gaussian()) } }
        return samples
    }

    func analysed(reference: Int = 0) throws(CalibrationError) -> Calibration.Result {
        try Calibration.analyse(recording(), sampleRate: sampleRate, schedule: schedule, reference: reference)
    }
}

extension SplitMix64 {
    /// A number of the normal distribution, to a hair.
    mutating func gaussian() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + unit() }
    }
}
