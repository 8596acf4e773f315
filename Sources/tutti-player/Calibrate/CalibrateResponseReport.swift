import TuttiCalibration
import TuttiChain

/// A room's frequency response and its correction, for people and programs. The names are those of `docs/json.md`.
struct CalibrateResponseReport: Encodable {
    struct Band: Encodable {
        let kind: EQBand.Kind
        let hz: Double
        let gainDb: Double
        let q: Double
    }

    struct Point: Encodable {
        let hz: Double
        let measuredDb: Double
        let predictedDb: Double
        let targetDb: Double
    }

    let room: String
    let target: String
    /// Places of the microphone.
    let places: Int
    let usableFromHz: Double
    let usableToHz: Double
    let snrDb: Double
    let levelDb: Double
    let recorderPpm: Double
    let distortionPercent: Double?
    let correctedFromHz: Double
    let correctedToHz: Double
    let deviationBeforeDb: Double
    let deviationAfterDb: Double
    let headroomDb: Double
    let bands: [Band]
    /// Twelve an octave, smoothed over a sixth.
    let curve: [Point]

    /// Points of the grid for one of the curve.
    private static let step = 4
    /// Hz from where on a measurement misses bass that matters.
    private static let bass = 40.0
    /// Per cent of harmonics that are worth a word.
    private static let muchDistortion = 3.0

    init(
        room: String, target: String, places: Int, _ measurement: ResponseMeasurement, _ proposal: CorrectionProposal
    ) {
        func rounded(_ value: Double, _ steps: Double = 10) -> Double { (value * steps).rounded() / steps }
        (self.room, self.target, self.places) = (room, target, places)
        (usableFromHz, usableToHz) = (rounded(measurement.usable.lowerBound), rounded(measurement.usable.upperBound))
        (snrDb, levelDb) = (rounded(measurement.signalToNoise), rounded(measurement.level))
        recorderPpm = rounded(measurement.recorderPpm)
        distortionPercent = measurement.distortion.map { rounded($0 * 100, 100) }
        (correctedFromHz, correctedToHz) = (rounded(proposal.range.lowerBound), rounded(proposal.range.upperBound))
        (deviationBeforeDb, deviationAfterDb) = (
            rounded(proposal.deviationBefore, 100), rounded(proposal.deviationAfter, 100)
        )
        headroomDb = proposal.headroom
        bands = proposal.bands.map { Band(kind: $0.kind, hz: $0.frequency, gainDb: $0.gain, q: $0.q) }
        curve = stride(from: 0, to: proposal.before.decibels.count, by: Self.step).map { index in
            Point(
                hz: rounded(FrequencyResponse.frequencies[index]),
                measuredDb: rounded(proposal.before.decibels[index], 100),
                predictedDb: rounded(proposal.after.decibels[index], 100),
                targetDb: rounded(proposal.target.decibels[index], 100))
        }
    }

    /// What people read.
    func lines() -> [String] {
        func number(_ value: Double, _ digits: Int = 0) -> String { CalibrateReport.number(value, digits: digits) }
        let distortion = distortionPercent.map { ", distortion \(number($0, 1)) %" } ?? ""
        var lines = [
            "\(room): heard from \(number(usableFromHz)) Hz to \(number(usableToHz)) Hz, \(number(snrDb)) dB above the "
                + "noise\(distortion)",
            "off the target (\(target)) by \(number(deviationBeforeDb, 1)) dB from \(number(correctedFromHz)) to "
                + "\(number(correctedToHz)) Hz; \(number(deviationAfterDb, 1)) dB with this correction:",
        ]
        if bands.isEmpty {
            lines[1] = "within \(number(deviationBeforeDb, 1)) dB of the target (\(target)): no correction"
        }
        if headroomDb < 0 { lines.append("  gain       \(number(headroomDb, 1)) dB") }
        for band in bands {
            lines.append(
                "  \(band.kind.rawValue.lowercased()) \(number(band.hz, 1)) Hz, \(number(band.gainDb, 1)) dB, Q \(number(band.q, 2))"
            )
        }
        if usableFromHz > Self.bass {
            lines.append(
                "note: nothing below \(number(usableFromHz)) Hz stands out of the noise: the loudspeaker ends there, or "
                    + "plays too softly")
        }
        if let distortionPercent, distortionPercent > Self.muchDistortion {
            lines.append("note: the loudspeaker or the recorder distorts; play more softly")
        }
        return lines
    }

    /// Why a recording is refused, and what to do.
    static func text(_ error: ResponseError, _ origin: String) -> String {
        func number(_ value: Double, _ digits: Int = 0) -> String { CalibrateReport.number(value, digits: digits) }
        let (lowest, highest) = (ResponseMeasurement.sampleRates.lowerBound, ResponseMeasurement.sampleRates.upperBound)
        switch error {
        case .sampleRate(let rate):
            return "\(origin) has a sample rate of \(rate) Hz; use \(lowest) to \(highest) Hz"
        case .length(let seconds):
            return
                "\(origin) lasts \(number(seconds)) s; the sweep takes \(number(ResponseSweep.totalSeconds)) s, and a "
                + "recording may last \(number(ResponseMeasurement.longest)) s"
        case .silent: return "\(origin) is silent; is the microphone muted?"
        case .tooSoft(let decibels):
            return "\(origin) is too soft (\(number(decibels)) dB of full scale): turn the room or the recording up"
        case .clipped(let share):
            return
                "\(origin) is clipped (\(number(share * 100, 1)) % of the sweep): turn the recording or the room down"
        case .notFound:
            return "no sweep in \(origin): play the file of `tutti calibrate --response --sweep`, louder than the noise"
        case .cut:
            return "\(origin) has only a part of the sweep: record from before the first chirp until after the second"
        case .unsteady(let decibels):
            return "the level moves by \(number(abs(decibels), 1)) dB in \(origin): turn off the recorder's automatic "
                + "gain and noise suppression"
        case .noise(let decibels):
            return "the sweep is only \(number(decibels)) dB above the noise in \(origin): turn the room up, put the "
                + "microphone nearer, or reduce noise"
        }
    }
}
