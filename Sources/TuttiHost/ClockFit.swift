/// The line from another clock to `CLOCK_MONOTONIC_RAW`, fitted to readings of both: from the PTP hardware clock (PHC)
/// of a network interface, or from the system clock.
///
/// A weighted straight line through the readings of the last seconds. The other clock runs free, or a servo steers it:
/// its rate may change a little from second to second, and its time may be set at any moment. So a reading that the
/// line does not explain stops all conversion until the next one tells whether the clock was set, which starts a new
/// line, or the reading was bad.
package struct ClockFit: Sendable {
    /// The most that the two clocks' rates may differ by.
    static let maximumRate = 1e-3
    /// Readings that are kept, and for how long, in ns.
    private static let capacity = 16
    private static let memory: Int64 = 8_000_000_000
    /// Readings that a line takes, and the time that they have to span, in ns.
    private static let readingsToFit = 4
    private static let spanToFit: Int64 = 50_000_000
    /// How fast a rate may come to differ from the line's before a reading contradicts it.
    private static let rateReserve = 20e-6
    /// What a reading may be off by beyond its own uncertainty, in ns: the clocks' resolution and the way to them.
    private static let noise = 100.0
    /// How far from the newest reading a stamp may lie, in ns.
    private static let reach: Int64 = 1_000_000_000

    /// A line relative to the newest reading: raw − other = anchor's + `value` + `rate` · (other − anchor's).
    private struct Line: Sendable {
        var value: Double
        var rate: Double
        /// Where the readings' centre lies, ns of the other clock after the anchor.
        var centre: Double
        /// Variances of the line's value there, ns², and of its rate.
        var variance: Double
        var rateVariance: Double
        /// The least uncertainty of a reading, which they may all share, ns.
        var floor: Double

        func value(at x: Double) -> Double { value + rate * x }

        func uncertainty(at x: Double) -> Double {
            let lever = x - centre
            return floor + 2 * (variance + rateVariance * lever * lever).squareRoot()
        }
    }

    private var readings: [ClockReading] = []
    private var line: Line?
    /// A reading that the line does not explain.
    private var suspect: ClockReading?
    /// How often the other clock was set, or moved as no clock does.
    package private(set) var restarts = 0

    /// A fit without readings.
    package init() {}

    /// The other clock's rate against the raw clock, as a ratio (1e-6 is 1 ppm fast); nil while there is no line.
    package var rate: Double? { line.map { 1 / (1 + $0.rate) - 1 } }

    /// Takes the next reading. One that is not later than the last, or no time at all, is ignored.
    package mutating func take(_ reading: ClockReading) {
        guard reading.isUsable, reading.raw > (suspect ?? readings.last)?.raw ?? .min else { return }
        guard explains(reading) else {
            if let suspect, suspect.isContinued(by: reading) {
                restart(with: [suspect, reading])
            } else if line == nil {
                restart(with: [reading])
            } else {
                suspect = reading
            }
            return
        }
        suspect = nil
        readings.append(reading)
        if readings.count > Self.capacity { readings.removeFirst() }
        readings.removeAll { reading.raw - $0.raw > Self.memory }
        fit()
    }

    /// The raw time of a stamp of the other clock, and how far off it may be, both in ns; nil while the line is not
    /// known, and for a stamp that lies more than a second from the newest reading.
    package func raw(of stamp: Int64) -> (raw: Int64, uncertainty: Int64)? {
        guard suspect == nil, let line, let anchor = readings.last, stamp.magnitude < 1 << 61 else { return nil }
        let x = stamp - anchor.other
        guard x.magnitude <= UInt64(Self.reach) else { return nil }
        let offset = (line.value(at: Double(x))).rounded()
        return (anchor.raw + x + Int64(offset), Int64(line.uncertainty(at: Double(x)).rounded(.up)))
    }

    private mutating func restart(with readings: [ClockReading]) {
        if !self.readings.isEmpty { restarts += 1 }
        (self.readings, line, suspect) = (readings, nil, nil)
    }

    /// Whether a reading may be of the same clock, which nobody has set.
    private func explains(_ reading: ClockReading) -> Bool {
        guard let last = readings.last else { return true }
        guard let line, last.isContinued(by: reading) else { return last.isContinued(by: reading) }
        let x = Double(reading.other - last.other)
        let moved = Double((reading.raw - reading.other) - (last.raw - last.other))
        let allowed = 2 * (line.uncertainty(at: x) + Double(reading.uncertainty)) + 1000 + Self.rateReserve * x
        return abs(moved - line.value(at: x)) <= allowed
    }

    private mutating func fit() {
        line = nil
        guard readings.count >= Self.readingsToFit, let first = readings.first, let anchor = readings.last,
            anchor.raw - first.raw >= Self.spanToFit
        else { return }
        let points = readings.map { reading in
            let width = Double(reading.uncertainty)
            return (
                x: Double(reading.other - anchor.other),
                y: Double((reading.raw - reading.other) - (anchor.raw - anchor.other)),
                weight: 1 / (width * width + Self.noise * Self.noise)
            )
        }
        let weight = points.reduce(0) { $0 + $1.weight }
        let centre = points.reduce(0) { $0 + $1.weight * $1.x } / weight
        let mean = points.reduce(0) { $0 + $1.weight * $1.y } / weight
        let spread = points.reduce(0) { $0 + $1.weight * ($1.x - centre) * ($1.x - centre) }
        guard spread > 0 else { return }
        let rate = points.reduce(0) { $0 + $1.weight * ($1.x - centre) * ($1.y - mean) } / spread
        guard abs(rate) <= Self.maximumRate else { return }
        let misfit = points.reduce(0) { sum, point in
            let rest = point.y - mean - rate * (point.x - centre)
            return sum + point.weight * rest * rest
        }
        // Readings that scatter by more than they say know the line less well.
        let excess = max(1, misfit / Double(points.count - 2))
        line = Line(
            value: mean - rate * centre, rate: rate, centre: centre, variance: excess / weight,
            rateVariance: excess / spread, floor: Double(readings.map(\.uncertainty).min() ?? 0))
    }
}
