package import TuttiCore

/// Spans of buffered audio. In JSON they are pairs of seconds, `[[start, end], …]`.
package struct LoadedRanges: Sendable, Equatable {
    /// The spans, in order.
    package var ranges: [TimeRange]

    /// These spans.
    package init(_ ranges: [TimeRange] = []) { self.ranges = ranges }

    /// Nothing.
    package var isEmpty: Bool { ranges.isEmpty }

    /// The end of the last span; nil without one.
    package var end: MediaTime? { ranges.last?.end }

    /// Whether one span holds all of `range`, to the nanosecond.
    package func holds(_ range: TimeRange) -> Bool {
        ranges.contains { $0.start <= range.start + Self.nanosecond && $0.end + Self.nanosecond >= range.end }
    }

    /// How many seconds are buffered from a place on; nil if the place is in no span.
    ///
    /// A room and its player report at different instants, so a span may begin half a second after the place.
    package func seconds(ahead position: Double) -> Double? {
        ranges.first { $0.start.seconds <= position + 0.5 && $0.end.seconds > position }
            .map { $0.end.seconds - position }
    }

    /// Takes out what lies at `time` or after it.
    package mutating func cut(at time: MediaTime) { ranges = ranges.before(time) }

    /// The spans on another scale: `origin` becomes 0, and `rate` seconds of it pass in one of this scale.
    package func rescaled(origin: MediaTime, rate: Double) -> LoadedRanges {
        func moved(_ time: MediaTime) -> MediaTime {
            let distance = time - origin
            guard rate != 1 else { return distance }
            // Out of the range of a media time is only what no rate that a player takes can make.
            return MediaTime(seconds: distance.seconds * rate, preferredTimescale: Self.timescale) ?? distance
        }
        return LoadedRanges(ranges.map { TimeRange(start: moved($0.start), end: moved($0.end)) })
    }

    /// Nanoseconds: seconds of JSON are read to these.
    private static let timescale: Int32 = 1_000_000_000
    private static let nanosecond = MediaTime(frame: 1, sampleRate: Int(timescale))

    /// The spans of pairs of seconds; nil if one of them is no pair, or is longer than a media time can be.
    package init?(seconds pairs: [[Double]]) {
        ranges = []
        for pair in pairs {
            guard pair.count == 2, pair[0] <= pair[1],
                let start = MediaTime(seconds: pair[0], preferredTimescale: Self.timescale),
                let end = MediaTime(seconds: pair[1], preferredTimescale: Self.timescale)
            else { return nil }
            ranges.append(TimeRange(start: start, end: end))
        }
    }

    /// The spans as pairs of seconds.
    package var seconds: [[Double]] { ranges.map { [$0.start.seconds, $0.end.seconds] } }
}

extension LoadedRanges: Codable {
    /// Reads pairs of seconds.
    ///
    /// - Throws: `DecodingError` for what is no pair of seconds.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let ranges = LoadedRanges(seconds: try value.decode([[Double]].self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "not pairs of seconds")
        }
        self = ranges
    }

    /// Writes pairs of seconds.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(seconds)
    }
}
