/// What a comparison of rooms found.
package struct ComparisonReport: Sendable, Codable {
    /// The spread of a set of offsets, microseconds of their absolute value.
    package struct Spread: Sendable, Codable, Equatable {
        package var count: Int
        package var median: Double
        package var p95: Double
        package var p99: Double
        package var max: Double

        /// The spread of signed offsets; all zero for none.
        package init(_ offsets: [Double]) {
            let sorted = offsets.map(abs).sorted()
            func quantile(_ share: Double) -> Double {
                guard !sorted.isEmpty else { return 0 }
                return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
            }
            count = sorted.count
            median = quantile(0.5)
            p95 = quantile(0.95)
            p99 = quantile(0.99)
            max = sorted.last ?? 0
        }
    }

    /// One window of a pair.
    package struct Offset: Sendable, Codable, Equatable {
        /// Seconds of true time after the first sound of any room, at the window's middle.
        package var seconds: Double
        /// Microseconds by which the second room is behind the first.
        package var microseconds: Double
    }

    /// Two rooms against each other.
    package struct Pair: Sendable, Codable {
        package var first: String
        package var second: String
        /// Absolute offsets in µs, from the first audible sample to the last.
        package var whole: Spread
        /// The same of the second half.
        package var secondHalf: Spread
        /// The first window's offset in µs: sync at the first sound; nil when the rooms never played together.
        package var firstOffset: Double?
        package var offsets: [Offset]
    }

    /// One room against the source.
    package struct Room: Sendable, Codable {
        package var name: String
        /// When its first audible sample left, ns of CLOCK_MONOTONIC_RAW; nil for a silent room.
        package var firstSoundRawNanoseconds: Int64?
        /// From the command to that, ms, when the command's time was given.
        package var commandToSoundMilliseconds: Double?
        /// When the song's first sample left (or would have), ns of CLOCK_MONOTONIC_RAW, from the first alignment.
        package var mediaZeroRawNanoseconds: Int64?
        /// The share of the song played, percent.
        package var completeness: Double
        /// Silences where the song is not silent.
        package var gaps: [Gap]
        /// Their sum in ms.
        package var gapMilliseconds: Double
        /// Places in the song (s) with a sample-sized disturbance.
        package var clicks: [Double]
        /// How often the place in the song moved by more than a millisecond at once.
        package var jumps: Int
        /// Underruns of the card, after its log.
        package var underruns: Int
        /// Signal to everything that is not the song, dB; nil when nothing aligned.
        package var contentDecibels: Double?
        /// How much faster than true time the song passes, ppm.
        package var ratePpm: Double?
        /// The nominal rate and ppm of the card's first run.
        package var cardRate: Double
        package var cardPpm: Double
    }

    /// A silence in the room where the song is not silent.
    package struct Gap: Sendable, Codable, Equatable {
        /// Where in the song, seconds.
        package var mediaSeconds: Double
        /// How long, milliseconds.
        package var milliseconds: Double
    }

    /// The rooms in the order given.
    package var rooms: [Room]
    /// Every pair of rooms.
    package var pairs: [Pair]
    /// All pairs together, from the first audible sample.
    package var all: Spread
}
