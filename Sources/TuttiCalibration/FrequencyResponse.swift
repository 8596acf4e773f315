import Glibc

/// Levels over frequency, in dB, at 48 points an octave.
package struct FrequencyResponse: Sendable, Equatable {
    /// Points an octave of the grid.
    package static let pointsPerOctave = 48
    /// The grid: Hz from 20.3 to 19 900, with 1 kHz in it.
    package static let frequencies = (-270...207).map { 1000 * pow(2, Double($0) / Double(pointsPerOctave)) }

    /// Levels at `frequencies`; fewer where a recording ends sooner.
    package var decibels: [Double]

    /// Levels at the beginning of `frequencies`; more are left out.
    package init(decibels: [Double]) { self.decibels = Array(decibels.prefix(Self.frequencies.count)) }

    /// The mean power around each point of the grid, ± 1/96 octave.
    ///
    /// - Parameters:
    ///   - power: of the bins from 0 Hz on.
    ///   - binWidth: Hz from bin to bin.
    ///   - limit: Hz at which the response ends.
    init(power: [Double], binWidth: Double, upTo limit: Double) {
        var sums = [0.0]
        sums.reserveCapacity(power.count + 1)
        for value in power { sums.append(sums[sums.count - 1] + value) }
        // Bins are stairs; the integral over them is exact between their edges.
        func integral(to frequency: Double) -> Double {
            let place = min(max(frequency / binWidth + 0.5, 0), Double(power.count))
            let whole = min(Int(place), power.count - 1)
            guard whole >= 0 else { return 0 }
            return sums[whole] + (place - Double(whole)) * power[whole]
        }
        let half = pow(2, 0.5 / Double(Self.pointsPerOctave))
        decibels = Self.frequencies.prefix { $0 <= limit }.map { frequency in
            let (low, high) = (frequency / half, frequency * half)
            return Self.decibels((integral(to: high) - integral(to: low)) / (high - low) * binWidth)
        }
    }

    /// The response smoothed in power over a width of `octaves`, 0 … 4; 0 leaves it as it is.
    package func smoothed(octaves: Double) -> FrequencyResponse {
        guard octaves > 0 else { return self }
        let reach = min(octaves, 4) * Double(Self.pointsPerOctave) / 2
        let whole = Int(reach.rounded(.down))
        guard whole > 0 else { return self }
        let power = decibels.map { pow(10, $0 / 10) }
        // The outermost points count in part, so that the width is right.
        let edge = min(1, reach - Double(whole) + 0.5)
        return FrequencyResponse(
            decibels: power.indices.map { index in
                var (sum, weights) = (0.0, 0.0)
                for other in max(0, index - whole)...min(power.count - 1, index + whole) {
                    let weight = abs(other - index) == whole ? edge : 1
                    sum += weight * power[other]
                    weights += weight
                }
                return Self.decibels(sum / weights)
            })
    }

    /// The level at a frequency in Hz, between the points of the grid by a straight line; that of an end beyond it.
    package func level(at frequency: Double) -> Double {
        guard let last = decibels.last, let first = decibels.first else { return 0 }
        let place = log2(frequency / Self.frequencies[0]) * Double(Self.pointsPerOctave)
        guard place > 0 else { return first }
        guard place < Double(decibels.count - 1) else { return last }
        let whole = Int(place)
        return decibels[whole] + (place - Double(whole)) * (decibels[whole + 1] - decibels[whole])
    }

    /// The mean level between two frequencies in Hz, every octave alike; 0 where there is no point.
    package func mean(in band: ClosedRange<Double>) -> Double {
        let values = zip(Self.frequencies, decibels).filter { band.contains($0.0) }.map(\.1)
        return values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    /// The mean power of responses, point by point, as far as all of them reach: that of several places of a microphone.
    ///
    /// - Returns: an empty response for none.
    package static func mean(of responses: [FrequencyResponse]) -> FrequencyResponse {
        let count = responses.map(\.decibels.count).min() ?? 0
        return FrequencyResponse(
            decibels: (0..<count).map { index in
                decibels(responses.reduce(0) { $0 + pow(10, $1.decibels[index] / 10) } / Double(responses.count))
            })
    }

    /// The sum of a response and decibels at its points.
    func raised(by other: [Double]) -> FrequencyResponse {
        FrequencyResponse(decibels: zip(decibels, other).map { $0 + $1 })
    }

    /// Decibels of a power, −300 at least.
    private static func decibels(_ power: Double) -> Double { 10 * log10(max(power, 1e-30)) }
}
