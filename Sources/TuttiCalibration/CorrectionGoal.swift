import Glibc

/// What a correction should do at each frequency, as far as it may: the deviation from the target, without what no
/// equaliser should try.
///
/// Peaks are cut as they are. A dip is raised only as far as two thirds of an octave around it lie too low: a narrow one is where
/// sound cancels, and whatever is added there cancels too, while the loudspeaker works harder. Where noise hides the
/// sound, nothing is wanted.
struct CorrectionGoal {
    /// A frequency of the grid and what is wanted there.
    struct Point {
        /// Hz.
        var frequency: Double
        /// Decibels to add.
        var decibels: Double
        /// How much the point counts.
        var weight: Double
    }

    /// In order of their frequencies.
    let points: [Point]
    /// Hz from where on there may be boosts.
    let lowestBoost: Double
    /// Hz up to where there may be boosts.
    let highestBoost: Double

    /// Octaves that a dip must fill to be raised.
    private static let wide = 2.0 / 3
    /// Decibels below the target where a loudspeaker ends: nothing is raised from there on.
    private static let rollOff = 8.0
    /// Octaves above the range in which the correction fades to nothing.
    private static let fade = 1.0 / 3
    /// Every other point of the grid will do.
    private static let step = 2
    private static let weights = (inside: 1.0, fading: 0.3, outside: 0.5)

    /// - Parameters:
    ///   - response: smoothed.
    ///   - upTo: Hz at which the correction ends.
    ///   - maximumBoost: dB.
    init(
        _ response: FrequencyResponse, _ target: ResponseTarget, usable: ClosedRange<Double>, upTo: Double,
        maximumBoost: Double
    ) {
        let wide = response.smoothed(octaves: Self.wide)
        let grid = Array(zip(FrequencyResponse.frequencies, response.decibels).enumerated())
        let (low, high) = Self.boosts(wide, target, usable)
        (lowestBoost, highestBoost) = (low, high)
        points = grid.filter { $0.offset.isMultiple(of: Self.step) && $0.element.0 <= 4 * upTo }.map { index, point in
            let (frequency, level) = point
            let wanted = target.level(at: frequency) - level
            let boost = max(0, min(wanted, target.level(at: frequency) - wide.decibels[index], maximumBoost))
            let mayBoost = frequency >= low && frequency <= high
            let allowed = !usable.contains(frequency) ? 0 : wanted < 0 ? wanted : mayBoost ? boost : 0
            let beyond = log2(frequency / upTo) / Self.fade
            if beyond <= 0 { return Point(frequency: frequency, decibels: allowed, weight: Self.weights.inside) }
            if beyond >= 1 { return Point(frequency: frequency, decibels: 0, weight: Self.weights.outside) }
            return Point(frequency: frequency, decibels: allowed * (1 - beyond), weight: Self.weights.fading)
        }
    }

    /// What is wanted at the point next to a frequency in Hz.
    func decibels(at frequency: Double) -> Double {
        guard let first = points.first else { return 0 }
        let place = log2(frequency / first.frequency) * Double(FrequencyResponse.pointsPerOctave / Self.step)
        return points[min(max(Int(place.rounded()), 0), points.count - 1)].decibels
    }

    /// Where the loudspeaker plays and the measurement tells: around the reference, down and up.
    private static func boosts(
        _ wide: FrequencyResponse, _ target: ResponseTarget, _ usable: ClosedRange<Double>
    ) -> (Double, Double) {
        let grid = FrequencyResponse.frequencies
        func plays(_ index: Int) -> Bool {
            usable.contains(grid[index]) && target.level(at: grid[index]) - wide.decibels[index] < rollOff
        }
        let indices = wide.decibels.indices
        let middle = ResponseMeasurement.reference
        let (below, above) = (
            indices.filter { grid[$0] < middle.lowerBound }, indices.filter { grid[$0] > middle.upperBound }
        )
        let low = below.last { !plays($0) }.map { grid[$0 + 1] } ?? usable.lowerBound
        let high = above.first { !plays($0) }.map { grid[$0 - 1] } ?? usable.upperBound
        return (low, high)
    }
}
