import Foundation

/// Compares what a room played with the source, sample by sample, once it is known when it played what.
struct ContentCheck {
    /// The power of the song and of what was added to or taken from it.
    struct Fidelity {
        var signal = 0.0
        var noise = 0.0
        var clicks: [Double] = []  // places in the source, seconds

        /// Signal to everything else, in dB.
        var decibels: Double? { signal > 0 && noise > 0 ? 10 * log10(signal / noise) : nil }
    }

    private static let size = 4096
    /// A click stands so far out of the local difference, in the second derivative and against full scale.
    private static let clickRatio = 14.0
    private static let clickFloor = 0.02

    let source: [Float]
    let room: RoomTrack
    let map: PlaybackMap
    let interpolator = SincInterpolator()

    /// Fidelity over the aligned windows: volume, delay and drift are fitted out, codec loss, faults and noise remain.
    func fidelity(gaps: [ComparisonReport.Gap]) -> Fidelity {
        var result = Fidelity()
        let jumps = map.jumps
        for (index, alignment) in map.alignments.enumerated() {
            let range = alignment.center - Self.size / 2..<alignment.center + Self.size / 2
            guard range.lowerBound >= 0, range.upperBound <= room.samples.count, room.covers(range),
                alignment.media > 4096, alignment.media < Double(source.count) - 4096,
                !jumps.contains(where: { abs($0.center - alignment.center) < 2 * MeasurementWindow.usual }),
                !gaps.contains(where: { overlaps($0, alignment) })
            else { continue }
            guard let fit = fit(alignment, slope: map.slope(at: index), range) else { continue }
            result.signal += fit.signal
            result.noise += fit.noise
            for place in fit.clicks {
                let seconds = (alignment.media + Double(place - Self.size / 2)) / RoomTrack.rate
                if result.clicks.last.map({ seconds - $0 > 0.005 }) ?? true { result.clicks.append(seconds) }
            }
        }
        return result
    }

    /// Whether a gap reaches into the window around an alignment: its edges are no clicks, and it is counted elsewhere.
    private func overlaps(_ gap: ComparisonReport.Gap, _ alignment: SourceAligner.Alignment) -> Bool {
        let begin = gap.mediaSeconds * RoomTrack.rate - alignment.media
        let end = begin + gap.milliseconds / 1000 * RoomTrack.rate
        return begin < Double(Self.size) && end > -Double(Self.size)
    }

    private struct Fit {
        var signal: Double
        var noise: Double
        var clicks: [Int]
    }

    private func fit(_ alignment: SourceAligner.Alignment, slope: Double, _ range: Range<Int>) -> Fit? {
        var (place, rate) = (alignment.media, slope)
        var gain = 1.0
        var residual: [Double] = []
        var reference: [Float] = []
        // The first round finds what is left of delay and drift to a part in a thousand, the second has none to find.
        for _ in 0..<3 {
            let start = place - rate * Double(Self.size / 2 + 1)
            reference = interpolator.samples(of: source, start: start, step: rate, count: Self.size + 2)
            guard let terms = solve(reference, room.samples[range]) else { return nil }
            gain = terms.gain
            place += terms.delay / terms.gain
            rate += terms.drift / terms.gain
            residual = terms.residual
        }
        let signal = reference.dropFirst().dropLast().reduce(0) { $0 + Double($1) * Double($1) } * gain * gain
        guard signal / Double(Self.size) > 1e-7 else { return nil }
        return Fit(signal: signal, noise: residual.reduce(0) { $0 + $1 * $1 }, clicks: clicks(residual))
    }

    private struct Terms {
        var gain: Double
        var delay: Double
        var drift: Double
        var residual: [Double]
    }

    /// Least squares of the room against the reference, its derivative, and its derivative times time.
    private func solve(_ reference: [Float], _ played: ArraySlice<Float>) -> Terms? {
        let count = Self.size
        let middle = Double(count / 2)
        func terms(_ index: Int) -> (Double, Double, Double) {
            let slope = Double(reference[index + 2] - reference[index]) / 2
            return (Double(reference[index + 1]), slope, slope * (Double(index) - middle))
        }
        var sums = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for (index, value) in played.enumerated() {
            let (x, y, z) = terms(index)
            let v = Double(value)
            sums.0 += x * x
            sums.1 += x * y
            sums.2 += x * z
            sums.3 += y * y
            sums.4 += y * z
            sums.5 += z * z
            sums.6 += x * v
            sums.7 += y * v
            sums.8 += z * v
        }
        let a = [[sums.0, sums.1, sums.2], [sums.1, sums.3, sums.4], [sums.2, sums.4, sums.5]]
        let b = [sums.6, sums.7, sums.8]
        guard let solution = Self.gauss(a, b), abs(solution[0]) > 1e-6 else { return nil }
        let residual = played.enumerated().map { index, value in
            let (x, y, z) = terms(index)
            return Double(value) - solution[0] * x - solution[1] * y - solution[2] * z
        }
        return Terms(gain: solution[0], delay: solution[1], drift: solution[2], residual: residual)
    }

    /// Solves three equations; nil when they do not determine the unknowns.
    private static func gauss(_ matrix: [[Double]], _ values: [Double]) -> [Double]? {
        var (a, b) = (matrix, values)
        for pivot in 0..<3 {
            guard abs(a[pivot][pivot]) > 1e-15 else { return nil }
            for row in 0..<3 where row != pivot {
                let factor = a[row][pivot] / a[pivot][pivot]
                for column in 0..<3 { a[row][column] -= factor * a[pivot][column] }
                b[row] -= factor * b[pivot]
            }
        }
        return (0..<3).map { b[$0] / a[$0][$0] }
    }

    private func clicks(_ residual: [Double]) -> [Int] {
        let bends = (1..<residual.count - 1).map { index -> Double in
            residual[index + 1] - 2 * residual[index] + residual[index - 1]
        }
        let power = bends.reduce(0.0) { $0 + $1 * $1 }
        let level = (power / Double(bends.count)).squareRoot()
        let threshold = max(Self.clickRatio * level, Self.clickFloor)
        return bends.indices.filter { abs(bends[$0]) > threshold && isLonely(bends, $0) }
    }

    /// Whether a bend stands out of its neighbourhood of 2 ms: what a codec does to a drum stroke does not.
    private func isLonely(_ bends: [Double], _ place: Int) -> Bool {
        let near = bends[max(0, place - 96)..<min(bends.count, place + 97)]
        let core = bends[max(0, place - 12)..<min(bends.count, place + 13)]
        let rest = near.reduce(0.0) { $0 + $1 * $1 } - core.reduce(0.0) { $0 + $1 * $1 }
        let level = (max(0, rest) / Double(max(1, near.count - core.count))).squareRoot()
        return abs(bends[place]) > Self.clickRatio * level
    }
}
