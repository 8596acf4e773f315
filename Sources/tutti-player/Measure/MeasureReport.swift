import Foundation
import TuttiCalibration
import TuttiCommandLine
import TuttiHost
import TuttiSchema
import TuttiSender
import TuttiSignal

/// What a measurement found out, with what has to stand beside it. The names are those of `docs/json.md`.
struct MeasureReport: Encodable {
    struct Magnitude: Encodable {
        let p50Us: Double
        let p50UncertaintyUs: Double
        let p99Us: Double
        let p99UncertaintyUs: Double
        let maxUs: Double
    }

    struct Interval: Encodable {
        let seconds: Double
        let mtieUs: Double
    }

    /// How far apart the two rooms are.
    struct Figures: Encodable {
        let offsetUs: Double
        let offsetUncertaintyUs: Double
        let driftPpm: Double
        let driftUncertaintyPpm: Double
        let aroundMedian: Magnitude
        let absolute: Magnitude
        let intervals: [Interval]
        /// Windows, or pairs of chirps.
        let count: Int
        let singleUncertaintyUs: Double?
        let repeatabilityUs: Double
    }

    /// What is known besides of a recording by cable.
    struct Recording: Encodable {
        let sampleRate: Int
        let seconds: Double
        let windowSeconds: Double
        let leftOut: StereoMeasurement.LeftOut
        let inputSkewUs: Double?
        let inputSkewUncertaintyUs: Double?
        var offsetLessDelaysUs: Double?
    }

    let first: String
    let second: String
    let signal: MeasureSignal
    let origin: String
    let figures: Figures
    private(set) var recording: Recording?
    private(set) var recorderPpm: Double?
    let rooms: [RoomStatus]
    let version: String
    /// Seconds since 1970 UTC.
    let measured: Double
    private(set) var remarks: [String] = []

    /// For the picture.
    let offsets: [TimedOffset]

    private enum CodingKeys: String, CodingKey {
        case first, second, signal, origin, recorderPpm, rooms, version, measured, remarks
    }

    /// One object of all that is known.
    func encode(to encoder: any Encoder) throws {
        try figures.encode(to: encoder)
        try recording?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(first, forKey: .first)
        try container.encode(second, forKey: .second)
        try container.encode(signal, forKey: .signal)
        try container.encode(origin, forKey: .origin)
        try container.encodeIfPresent(recorderPpm, forKey: .recorderPpm)
        try container.encode(rooms, forKey: .rooms)
        try container.encode(version, forKey: .version)
        try container.encode(measured, forKey: .measured)
        try container.encode(remarks, forKey: .remarks)
    }

    /// The offset of two channels that are as good as the same, in µs.
    private static let sameness = 0.05
    /// The share of clipped samples that is worth a word.
    private static let clippedShare = 1e-5

    /// By cable: one recording, or two with the cables swapped.
    ///
    /// - Throws: `ProgramFailure` with why a recording does not tell.
    init(_ rooms: MeasureRooms, _ statuses: [RoomStatus?], signal: MeasureSignal, takes: [MeasureTake]) throws {
        guard let take = takes.first else { throw Failure("nothing was recorded") }
        let measurement = try take.measured()
        var statistics = measurement.statistics
        var skew: OffsetStatistics.Figure?
        if takes.count > 1 {
            let pair = CableSwap(straight: statistics, crossed: try takes[1].measured().statistics)
            (skew, statistics) = (pair.skew, pair.statistics)
        }
        self.init(rooms, statuses, statistics, signal: signal, origin: take.origin)
        recording = Recording(
            sampleRate: take.sampleRate, seconds: Self.rounded(take.seconds, 3),
            windowSeconds: Self.rounded(measurement.windowSeconds, 3), leftOut: measurement.leftOut,
            inputSkewUs: skew.map { Self.rounded($0.value, 4) },
            inputSkewUncertaintyUs: skew.map { Self.rounded($0.uncertainty, 4) })
        remarks += takes.flatMap(\.remarks)
        if measurement.clippedShare > Self.clippedShare {
            remarks.append("some samples are clipped: lower the recording level")
        }
        if measurement.isInverted { remarks.append("the rooms have opposite polarity") }
        if abs(figures.offsetUs) < Self.sameness, figures.absolute.p99Us < 2 * Self.sameness {
            remarks.append("the channels carry almost the same signal: is one room on both cables?")
        }
        if let one = statuses.first??.outputDelayMs, let other = statuses.last??.outputDelayMs, one != other {
            let less = figures.offsetUs - (one - other) * 1000
            recording?.offsetLessDelaysUs = Self.rounded(less, 4)
            remarks.append(
                "a cable also records the output delays (\(first) \(one) ms, \(second) \(other) ms): without them "
                    + "\(second) is \(Self.behind(less, 0.01)) \(first)")
        }
    }

    /// By chirps.
    init(
        _ rooms: MeasureRooms, _ statuses: [RoomStatus?], _ statistics: OffsetStatistics, origin: String,
        recorderPpm: Double
    ) {
        self.init(rooms, statuses, statistics, signal: .chirps, origin: origin)
        self.recorderPpm = Self.rounded(recorderPpm, 2)
        if rooms.calibration.distances.allSatisfy({ $0 == 0 }) {
            remarks.append(
                "this assumes that the microphone is equally far from both rooms: 1 ms is 34 cm (--distance)")
        }
    }

    private init(
        _ rooms: MeasureRooms, _ statuses: [RoomStatus?], _ statistics: OffsetStatistics, signal: MeasureSignal,
        origin: String
    ) {
        (first, second) = (rooms.first, rooms.second)
        (self.signal, self.origin) = (signal, origin)
        figures = Figures(statistics)
        self.rooms = statuses.compactMap(\.self)
        version = ProgramVersion.current
        measured = Date().timeIntervalSince1970.rounded()
        offsets = statistics.offsets
        for (name, status) in zip([first, second], statuses) where status == nil {
            remarks.append("no answer from \(name): write down its card and link by hand")
        }
    }

    static func rounded(_ value: Double, _ digits: Int) -> Double {
        let steps = (0..<digits).reduce(1.0) { result, _ in result * 10 }
        return value.isFinite ? (value * steps).rounded() / steps : value
    }

    /// `12.34 µs behind`, with as many digits as its error leaves.
    static func behind(_ microseconds: Double, _ uncertainty: Double) -> String {
        "\(number(abs(microseconds), uncertainty)) µs \(microseconds < 0 ? "ahead of" : "behind")"
    }

    /// A figure with as many digits as its error leaves.
    static func number(_ value: Double, _ uncertainty: Double) -> String {
        let digits = uncertainty < 0.01 ? 3 : uncertainty < 0.3 ? 2 : uncertainty < 3 ? 1 : 0
        return CalibrateReport.number(value, digits: digits)
    }
}

extension MeasureReport.Figures {
    init(_ statistics: OffsetStatistics) {
        offsetUs = MeasureReport.rounded(statistics.median.value, 4)
        offsetUncertaintyUs = MeasureReport.rounded(statistics.median.uncertainty, 4)
        driftPpm = MeasureReport.rounded(statistics.drift.value, 5)
        driftUncertaintyPpm = MeasureReport.rounded(statistics.drift.uncertainty, 5)
        aroundMedian = MeasureReport.Magnitude(statistics.aroundMedian)
        absolute = MeasureReport.Magnitude(statistics.absolute)
        intervals = statistics.intervals.map {
            MeasureReport.Interval(seconds: $0.seconds, mtieUs: MeasureReport.rounded($0.microseconds, 3))
        }
        count = statistics.offsets.count
        singleUncertaintyUs = statistics.single.map { MeasureReport.rounded($0, 4) }
        repeatabilityUs = MeasureReport.rounded(statistics.repeatability, 4)
    }
}

extension MeasureReport.Magnitude {
    init(_ magnitude: OffsetStatistics.Magnitude) {
        p50Us = MeasureReport.rounded(magnitude.spread.median, 4)
        p50UncertaintyUs = MeasureReport.rounded(magnitude.p50Uncertainty, 4)
        p99Us = MeasureReport.rounded(magnitude.spread.p99, 4)
        p99UncertaintyUs = MeasureReport.rounded(magnitude.p99Uncertainty, 4)
        maxUs = MeasureReport.rounded(magnitude.spread.max, 4)
    }
}
