import TuttiCore

/// The latest swaps, numbered by refreshes, and the line through their returns.
struct SwapWindow: Sendable {
    /// When refreshes are.
    struct Line {
        /// Nanoseconds from one to the next.
        let period: Double
        /// One of them: about the last.
        let refresh: HostTime
        /// How far returns lie from the line, and how far handovers do from one beside it, in ns (medians).
        let (spread, handoverSpread): (Double, Double)

        /// Whether handovers scatter enough to tell whose line it is.
        var canTell: Bool { handoverSpread > 100_000 }
        /// Whether returns come when the display has it so, rather than some time after handovers.
        var isOfDisplay: Bool { spread < 0.05 * period && spread < 0.6 * handoverSpread }
        /// Whether that is out of the question.
        var isHardlyOfDisplay: Bool { spread > 0.15 * period || spread > 0.75 * handoverSpread }
        /// Whether it is beyond doubt.
        var isSurelyOfDisplay: Bool { spread < 0.04 * period && spread < 0.35 * handoverSpread }
    }

    private struct Swap {
        let (handedOver, returned): (HostTime, HostTime)
        /// Refreshes since the first swap.
        var number: Int64
    }

    private static let capacity = 48
    /// Swaps that make a line.
    private static let fewest = 10
    private var swaps: [Swap] = []

    var count: Int { swaps.count }

    mutating func removeAll() { swaps.removeAll(keepingCapacity: true) }

    /// Takes a swap that returned `steps` refreshes after the one before.
    mutating func append(_ handedOver: HostTime, _ returned: HostTime, steps: Int64) {
        if swaps.count >= Self.capacity { swaps.removeFirst() }
        let number = (swaps.last?.number ?? 0).addingReportingOverflow(steps)
        swaps.append(
            Swap(handedOver: handedOver, returned: returned, number: number.overflow ? 0 : number.partialValue))
    }

    /// The median time from one return to the next, in ns; 0 without two.
    var medianStep: Double {
        zip(swaps.dropFirst(), swaps).map { Double($0.returned.nanoseconds(since: $1.returned)) }.median
    }

    /// The largest number of refreshes that each swap is a multiple of apart; 0 without two.
    var commonStep: Int64 {
        zip(swaps.dropFirst(), swaps).reduce(0) { Self.commonDivisor($0, $1.0.number - $1.1.number) }
    }

    private static func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
        var (larger, rest) = (first.magnitude, second.magnitude)
        while rest > 0 { (larger, rest) = (rest, larger % rest) }
        return Int64(clamping: larger)
    }

    /// The median time that a swap takes, in ns; 0 of none.
    var medianDuration: Double { swaps.map { Double($0.returned.nanoseconds(since: $0.handedOver)) }.median }

    /// Numbers the swaps anew, for refreshes `period` apart.
    mutating func count(by period: Double) {
        guard let first = swaps.first?.returned else { return }
        // Returns are late at times: the line is followed by small steps.
        var shift = 0.0
        for index in swaps.indices {
            let place = Double(swaps[index].returned.nanoseconds(since: first)) / period - shift
            let number = min(max(place.rounded(), 0), 1e6)
            swaps[index].number = Int64(number)
            shift += min(max(place - number, -0.1), 0.1)
        }
    }

    /// The median of the slopes of all pairs, in ns a refresh; 0 without two (H. Theil, P. K. Sen).
    var medianSlope: Double {
        var slopes: [Double] = []
        for (index, later) in swaps.enumerated() {
            for earlier in swaps[..<index] where later.number > earlier.number {
                let distance = Double(later.returned.nanoseconds(since: earlier.returned))
                slopes.append(distance / Double(later.number - earlier.number))
            }
        }
        return slopes.median
    }

    /// The line, by least squares without outliers; nil with too few swaps.
    ///
    /// - Parameter prior: the period as known, of which the result is no more than 2 % apart.
    func line(prior: Double) -> Line? {
        guard let last = swaps.last, swaps.count >= Self.fewest else { return nil }
        let numbers = swaps.map { Double($0.number - last.number) }
        let returns = swaps.map { Double($0.returned.nanoseconds(since: last.returned)) }
        var (period, phase) = (prior, 0.0)
        for _ in 0..<3 {
            let residuals = zip(numbers, returns).map { $1 - $0 * period }
            let middle = residuals.median
            let limit = max(4 * residuals.map { abs($0 - middle) }.median, 100_000)
            // Who is woken up is woken up late, hardly ever early.
            let kept = residuals.indices.filter { (-limit...0.6 * limit).contains(residuals[$0] - middle) }
            (period, phase) = Self.fit(numbers, returns, kept, prior: prior) ?? (period, middle)
        }
        let residuals = zip(numbers, returns).map { $1 - $0 * period - phase }
        let handovers = zip(numbers, swaps).map {
            Double($1.handedOver.nanoseconds(since: last.returned)) - $0 * period
        }
        let middle = handovers.median
        return Line(
            period: period, refresh: last.returned.advanced(byNanoseconds: Int64(phase)),
            spread: residuals.map(abs).median, handoverSpread: handovers.map { abs($0 - middle) }.median)
    }

    private static func fit(
        _ numbers: [Double], _ returns: [Double], _ kept: [Int], prior: Double
    ) -> (period: Double, phase: Double)? {
        guard kept.count >= fewest / 2 else { return nil }
        let count = Double(kept.count)
        let meanNumber = kept.reduce(0) { $0 + numbers[$1] } / count
        let meanReturn = kept.reduce(0) { $0 + returns[$1] } / count
        var (square, product) = (0.0, 0.0)
        for index in kept {
            let distance = numbers[index] - meanNumber
            square += distance * distance
            product += distance * (returns[index] - meanReturn)
        }
        guard square > 0 else { return nil }
        let period = min(max(product / square, 0.98 * prior), 1.02 * prior)
        return (period, meanReturn - period * meanNumber)
    }
}

extension [Double] {
    /// The middle one by size; 0 of none.
    var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
