package import TuttiSignal

/// What a row of offsets between two rooms comes to, with how far each figure is to be trusted. All in microseconds;
/// uncertainties are standard errors.
package struct OffsetStatistics: Sendable, Equatable {
    /// A figure and its standard error.
    package struct Figure: Sendable, Equatable {
        package var value: Double
        package var uncertainty: Double
    }

    /// How large the magnitude of something is, with the standard errors of its median and its 99th percentile.
    package struct Magnitude: Sendable, Equatable {
        package var spread: OffsetSpread
        package var p50Uncertainty: Double
        package var p99Uncertainty: Double
    }

    /// The offsets, in the order of time.
    package let offsets: [TimedOffset]
    /// The median offset, and where there is a drift the one in the middle of the row.
    package var median: Figure
    /// By how many ppm (µs a second) the second room falls behind.
    package let drift: Figure
    /// |offset − median|.
    package let aroundMedian: Magnitude
    /// |offset|.
    package let absolute: Magnitude
    /// The standard error of a single offset, as the measurement itself says: the median of them; nil where it does not
    /// say.
    package let single: Double?
    /// The same as neighbours that share no sound tell: how well an offset repeats, true changes within 0.2 s included.
    package let repeatability: Double
    /// The most that an offset moves within so many seconds (MTIE, ITU-T G.810), for 1, 10 and 100 s as far as the row
    /// is long.
    package let intervals: [(seconds: Double, microseconds: Double)]

    /// Stretches of time that errors are judged by.
    private static let blocks = 20
    /// Offsets of a stretch that is drawn as one, so that what changes slowly stays slow.
    private static let drawn = 20
    private static let draws = 200

    /// - Parameters:
    ///   - offsets: in the order of time.
    ///   - uncertainties: the standard error of each in µs; empty where nobody knows.
    ///   - floor: µs that the method itself may be off.
    package init(_ offsets: [TimedOffset], uncertainties: [Double] = [], floor: Double) {
        self.offsets = offsets
        let values = offsets.map(\.microseconds)
        // Once more without the drift: where there is one, the median of a stretch is the offset of a single window.
        let coarse = Line(through: offsets, less: 0)
        let line = Line(through: offsets, less: coarse.slope.value)
        let middle = Self.median(offsets.map { $0.microseconds - line.slope.value * ($0.seconds - line.middle) })
        median = Figure(
            value: middle, uncertainty: (line.levelError * line.levelError + floor * floor).squareRoot())
        drift = line.slope
        aroundMedian = Self.magnitude(values.map { $0 - middle })
        absolute = Self.magnitude(values)
        single = uncertainties.isEmpty ? nil : Self.median(uncertainties)
        let steps = zip(offsets, offsets.dropFirst(2)).filter { $1.seconds - $0.seconds < 1 }
            .map { abs($1.microseconds - $0.microseconds) }
        // The median of |a − b| is 0.954 standard deviations of one.
        repeatability = Self.median(steps) / 0.954
        let error = TimeIntervalError(offsets)
        let length = (offsets.last?.seconds ?? 0) - (offsets.first?.seconds ?? 0)
        intervals = [1, 10, 100].filter { $0 <= length }.map { ($0, error.maximum(within: $0)) }
    }

    /// The same row with a constant taken away from each offset, that is known to `uncertainty`.
    package func less(_ constant: Figure) -> OffsetStatistics {
        var result = OffsetStatistics(
            offsets.map { TimedOffset(seconds: $0.seconds, microseconds: $0.microseconds - constant.value) },
            uncertainties: single.map { [$0] } ?? [], floor: 0)
        result.median.uncertainty = constant.uncertainty
        return result
    }

    package static func == (one: OffsetStatistics, other: OffsetStatistics) -> Bool {
        one.offsets == other.offsets && one.median == other.median && one.single == other.single
    }

    // MARK: Parts

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// A line through the medians of equal parts of a row, and the standard errors that their distances from it tell.
    /// Where a part is like the one before it, there are fewer of them than it seems.
    private struct Line {
        /// µs a second.
        var slope = Figure(value: 0, uncertainty: .infinity)
        /// The standard error in the middle.
        var levelError = Double.infinity
        /// Seconds at the middle.
        var middle = 0.0

        /// - Parameter drift: a slope that is known already.
        init(through offsets: [TimedOffset], less drift: Double) {
            let parts = offsets.count < 2 * OffsetStatistics.blocks ? offsets.count : OffsetStatistics.blocks
            guard parts >= 3 else { return }
            let points = (0..<parts).map { part -> (x: Double, y: Double) in
                let range = offsets[part * offsets.count / parts..<(part + 1) * offsets.count / parts]
                return (
                    range.reduce(0) { $0 + $1.seconds } / Double(range.count),
                    OffsetStatistics.median(range.map { $0.microseconds - drift * $0.seconds })
                )
            }
            let count = Double(parts)
            let (meanX, meanY) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
            let squares = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
            guard squares > 0 else { return }
            let rest = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / squares
            let errors = points.map { $0.y - meanY - rest * ($0.x - meanX) }
            let power = errors.reduce(0) { $0 + $1 * $1 }
            let next = zip(errors, errors.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
            let likeness = power > 0 ? min(max(next / power, 0), 0.9) : 0
            let variance = power / (count - 2) * (1 + likeness) / (1 - likeness)
            slope = Figure(value: drift + rest, uncertainty: (variance / squares).squareRoot())
            levelError = (variance / count).squareRoot()
            middle = meanX
        }
    }

    private static func magnitude(_ values: [Double]) -> Magnitude {
        let errors = ResampledErrors(values, drawn: max(1, min(drawn, values.count / 10)), draws: draws)
        return Magnitude(spread: OffsetSpread(values), p50Uncertainty: errors.median, p99Uncertainty: errors.p99)
    }
}
