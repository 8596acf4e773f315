import Glibc

/// What a room's response should be: levels in dB at frequencies, with straight lines over log frequency between them.
package struct ResponseTarget: Sendable, Equatable {
    /// A level at a frequency.
    package struct Point: Sendable, Equatable {
        /// Hz.
        package var frequency: Double
        /// Decibels, relative to the mean of 200 Hz to 2 kHz.
        package var level: Double
    }

    /// Why a text is no target.
    package enum Failure: Error, Sendable, Equatable {
        /// A line is not a frequency and a level, or one of them is outside its limits; counted from 1.
        case line(Int)
        /// The frequency of a line is not above that of the line before.
        case order(line: Int)
        /// No points, or too many.
        case count(Int)
    }

    /// Hz and dB that a point may have, and how many points there may be.
    package static let frequencies = 5.0...48_000.0
    package static let levels = -40.0...40.0
    package static let counts = 1...1_000

    /// In order of their frequencies.
    package let points: [Point]

    private init(_ points: [(Double, Double)]) { self.points = points.map { Point(frequency: $0.0, level: $0.1) } }

    /// The same level everywhere.
    package static let flat = ResponseTarget([(1_000, 0)])
    /// More bass and a little less treble, as most people like it in a room.
    package static let room = ResponseTarget([(80, 3), (200, 0), (2_000, 0), (10_000, -1.5), (20_000, -2.5)])

    /// Reads a text: a frequency in Hz and a level in dB on each line, with rising frequencies. What follows a `#` is
    /// ignored.
    package init(text: String) throws(Failure) {
        var points: [Point] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let fields = line.prefix { $0 != "#" }.split { $0.isWhitespace || $0 == "," || $0 == ";" }
            guard !fields.isEmpty else { continue }
            guard fields.count == 2, let frequency = Double(fields[0]), let level = Double(fields[1]),
                Self.frequencies.contains(frequency), Self.levels.contains(level)
            else { throw .line(index + 1) }
            if let last = points.last, frequency <= last.frequency { throw .order(line: index + 1) }
            points.append(Point(frequency: frequency, level: level))
            guard points.count <= Self.counts.upperBound else { throw .count(points.count) }
        }
        guard !points.isEmpty else { throw .count(0) }
        self.points = points
    }

    /// The level at a frequency in Hz; beyond the ends that of the end.
    package func level(at frequency: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.frequency > frequency }) else { return points.last?.level ?? 0 }
        guard next > 0 else { return points[0].level }
        let (low, high) = (points[next - 1], points[next])
        return low.level + (high.level - low.level) * log(frequency / low.frequency)
            / log(high.frequency / low.frequency)
    }
}
