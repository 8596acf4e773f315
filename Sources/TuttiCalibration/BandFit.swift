import Glibc
import TuttiChain

/// Filters that come close to a goal together: one after the other where most is missing, then all of them at once.
///
/// The refinement is that of Levenberg and Marquardt over the logarithms of frequency and quality and the gains, each
/// kept within its limits.
struct BandFit {
    /// The filters.
    private(set) var bands: [EQBand] = []
    private let goal: CorrectionGoal
    private let upTo: Double
    private let sampleRate: Double
    /// The filters' sum at the goal's points.
    private var sum: [Double]

    /// Limits of the filters.
    static let qualities = 0.5...8.0
    /// Boosts stay wide.
    private static let boostQualities = 0.5...3.0
    private static let shelfQualities = 0.4...0.9
    static let deepestCut = -15.0
    static let maximumBoost = 4.0
    /// Filters below this many dB are of no use.
    private static let leastGain = 0.5
    /// A filter must make the error smaller by this part.
    private static let leastGood = 0.03
    private static let rounds = (alone: 12, together: 25, last: 60)

    /// - Parameters:
    ///   - upTo: Hz at which the correction ends.
    ///   - maximumCount: filters at most.
    init(_ goal: CorrectionGoal, upTo: Double, maximumCount: Int, sampleRate: Double) {
        (self.goal, self.upTo, self.sampleRate) = (goal, upTo, sampleRate)
        sum = [Double](repeating: 0, count: goal.points.count)
        grow(to: maximumCount)
        prune()
    }

    /// Adds filters while they are worth it.
    private mutating func grow(to maximumCount: Int) {
        while bands.count < maximumCount {
            let before = error(of: sum)
            var trials: [BandFit] = []
            for candidate in candidates() {
                var trial = self
                trial.add(candidate)
                trial.refine(from: trial.bands.count - 1, rounds: Self.rounds.alone)
                trials.append(trial)
            }
            guard var best = trials.min(by: { $0.error(of: $0.sum) < $1.error(of: $1.sum) }) else { return }
            best.refine(from: 0, rounds: Self.rounds.together)
            guard before - best.error(of: best.sum) > Self.leastGood * before else { return }
            self = best
        }
    }

    /// Takes out what does next to nothing, and sets the rest again.
    private mutating func prune() {
        refine(from: 0, rounds: Self.rounds.last)
        while let weakest = bands.indices.min(by: { abs(bands[$0].gain) < abs(bands[$1].gain) }),
            abs(bands[weakest].gain) < Self.leastGain
        {
            bands.remove(at: weakest)
            update()
            refine(from: 0, rounds: Self.rounds.together)
        }
        bands.sort { $0.frequency < $1.frequency }
    }

    // MARK: Candidates

    /// Filters for the stretches in which most is missing, and a shelf.
    private func candidates() -> [EQBand] {
        let rest = zip(goal.points, sum).map { $0.decibels - $1 }
        var stretches: [(score: Double, range: Range<Int>)] = []
        var start = 0
        while start < rest.count {
            var (end, score) = (start, 0.0)
            while end < rest.count, rest[end].sign == rest[start].sign {
                score += rest[end] * rest[end] * goal.points[end].weight
                end += 1
            }
            if goal.points[start].frequency <= upTo { stretches.append((score, start..<end)) }
            start = end
        }
        stretches.sort { $0.score > $1.score }
        var result = stretches.prefix(3).compactMap { peak(in: $0.range, rest) }
        if !bands.contains(where: { $0.kind == .lowShelf }) {
            let low = rest.prefix(FrequencyResponse.pointsPerOctave / 2)
            let gain = low.reduce(0, +) / Double(max(1, low.count))
            let shelf = EQBand(.lowShelf, frequency: min(60, upTo), gain: gain)
            if abs(gain) > Self.leastGain, isAllowed(shelf) { result.append(shelf) }
        }
        return result
    }

    private func peak(in range: Range<Int>, _ rest: [Double]) -> EQBand? {
        guard let top = range.max(by: { abs(rest[$0]) < abs(rest[$1]) }), abs(rest[top]) > Self.leastGain else {
            return nil
        }
        var (low, high) = (top, top)
        while low > range.lowerBound, abs(rest[low - 1]) > abs(rest[top]) / 2 { low -= 1 }
        while high + 1 < range.upperBound, abs(rest[high + 1]) > abs(rest[top]) / 2 { high += 1 }
        let octaves = max(0.1, log2(goal.points[high].frequency / goal.points[low].frequency))
        let q = 1 / (2 * sinh(log(2) / 2 * octaves))
        let band = EQBand(.peak, frequency: min(goal.points[top].frequency, upTo), gain: rest[top], q: q)
        // Where too much was cut, the cuts are to be less, not something else more.
        guard isAllowed(band), band.gain < 0 || goal.points[top].decibels > Self.leastGain else { return nil }
        return band
    }

    /// Whether a boost is where it may be. A shelf raises everything below it.
    private func isAllowed(_ band: EQBand) -> Bool {
        guard band.gain > 0 else { return true }
        if band.kind == .lowShelf { return goal.lowestBoost <= FrequencyResponse.frequencies[0] * 1.1 }
        return band.frequency >= goal.lowestBoost && band.frequency <= goal.highestBoost
    }

    // MARK: Error

    private func curve(_ band: EQBand) -> [Double] {
        let magnitude = BandMagnitude(band, sampleRate: sampleRate)
        return goal.points.map { magnitude.decibels(at: $0.frequency) }
    }

    private mutating func add(_ band: EQBand) {
        bands.append(limited(band, like: band))
        update()
    }

    private mutating func update() { sum = total(of: bands) }

    private func total(of bands: [EQBand]) -> [Double] {
        bands.reduce([Double](repeating: 0, count: goal.points.count)) { sum, band in
            zip(sum, curve(band)).map { $0 + $1 }
        }
    }

    private func error(of sum: [Double]) -> Double {
        zip(goal.points, sum).reduce(0) { $0 + $1.0.weight * ($1.0.decibels - $1.1) * ($1.0.decibels - $1.1) }
    }

    /// The filter within its limits; a cut stays a cut.
    private func limited(_ band: EQBand, like old: EQBand) -> EQBand {
        var band = band
        let isBoost = old.gain > 0
        let qualities =
            band.kind != .peak ? Self.shelfQualities : isBoost ? Self.boostQualities : Self.qualities
        band.q = min(max(band.q, qualities.lowerBound), qualities.upperBound)
        let lowest = isBoost && band.kind == .peak ? goal.lowestBoost : FrequencyResponse.frequencies[0]
        let highest = isBoost ? min(upTo, goal.highestBoost) : upTo
        band.frequency = max(min(band.frequency, highest), min(lowest, highest))
        // A boost that only makes up for the feet of cuts beside it is a waste of headroom.
        let most = isBoost ? min(Self.maximumBoost, goal.decibels(at: band.frequency)) : 0
        band.gain = min(max(band.gain, isBoost ? 0 : Self.deepestCut), max(most, 0))
        return band
    }

    // MARK: Refinement

    /// Moves the filters from number `first` on to where the error is least.
    private mutating func refine(from first: Int, rounds: Int) {
        guard first < bands.count else { return }
        var damping = 1e-2
        var current = error(of: sum)
        for _ in 0..<rounds {
            let (matrix, vector) = normalEquations(from: first)
            var isBetter = false
            for _ in 0..<6 {
                let step = LinearEquations.solve(matrix, vector, damping: damping)
                let trial = moved(by: step, from: first)
                let trialSum = total(of: trial)
                let next = error(of: trialSum)
                if next < current {
                    isBetter = current - next > 1e-6 * current
                    (bands, sum, current) = (trial, trialSum, next)
                    damping = max(damping / 4, 1e-8)
                    break
                }
                damping *= 5
            }
            guard isBetter else { return }
        }
    }

    private func moved(by step: [Double], from first: Int) -> [EQBand] {
        bands.indices.map { index in
            guard index >= first else { return bands[index] }
            let at = 3 * (index - first)
            return limited(shifted(bands[index], step[at], step[at + 1], step[at + 2]), like: bands[index])
        }
    }

    /// A filter with its frequency moved by octaves, its gain by dB and its quality by factors of two.
    private func shifted(_ band: EQBand, _ octaves: Double, _ gain: Double, _ quality: Double) -> EQBand {
        var band = band
        band.frequency *= exp2(min(max(octaves, -0.5), 0.5))
        band.gain += min(max(gain, -6), 6)
        band.q *= exp2(min(max(quality, -1), 1))
        return band
    }

    private func normalEquations(from first: Int) -> (matrix: [[Double]], vector: [Double]) {
        let delta = 1e-4
        var columns: [[Double]] = []
        for band in bands[first...] {
            for parameter in 0..<3 {
                let step = [0, 1, 2].map { $0 == parameter ? delta : 0 }
                let up = curve(shifted(band, step[0], step[1], step[2]))
                let down = curve(shifted(band, -step[0], -step[1], -step[2]))
                columns.append(zip(up, down).map { ($0 - $1) / (2 * delta) })
            }
        }
        func product(_ one: [Double], _ other: [Double]) -> Double {
            goal.points.indices.reduce(0) { $0 + goal.points[$1].weight * one[$1] * other[$1] }
        }
        let rest = zip(goal.points, sum).map { $0.decibels - $1 }
        return (columns.map { column in columns.map { product(column, $0) } }, columns.map { product($0, rest) })
    }
}
