package import TuttiSignal

/// What a comparison of rooms found.
package struct ComparisonReport: Sendable, Codable {
    package typealias Spread = OffsetSpread
    /// One window of a pair: seconds of true time after the first sound of any room, at the window's middle.
    package typealias Offset = TimedOffset

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

        package init(first: String, second: String, offsets: [Offset]) {
            let values = offsets.map(\.microseconds)
            self.first = first
            self.second = second
            self.offsets = offsets
            whole = Spread(values)
            secondHalf = Spread(Array(values.dropFirst(values.count / 2)))
            firstOffset = values.first
        }
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
        package var completeness = 100.0
        /// Silences where the song is not silent.
        package var gaps: [Gap] = []
        /// Their sum in ms.
        package var gapMilliseconds = 0.0
        /// Places in the song (s) with a sample-sized disturbance.
        package var clicks: [Double] = []
        /// How often the place in the song moved by more than a millisecond at once.
        package var jumps = 0
        /// Underruns of the card, after its log.
        package var underruns = 0
        /// Where a run of the card ended and a later one was heard.
        package var resumptions: [Resumption] = []
        /// Signal to everything that is not the song, dB; nil when nothing aligned.
        package var contentDecibels: Double?
        /// How much faster than true time the song passes, ppm.
        package var ratePpm: Double?
        /// The nominal rate and ppm of the card's first run.
        package var cardRate = 0.0
        package var cardPpm = 0.0
    }

    /// A silence in the room where the song is not silent.
    package struct Gap: Sendable, Codable, Equatable {
        /// Where in the song, seconds.
        package var mediaSeconds: Double
        /// How long, milliseconds.
        package var milliseconds: Double

        package init(mediaSeconds: Double, milliseconds: Double) {
            self.mediaSeconds = mediaSeconds
            self.milliseconds = milliseconds
        }
    }

    /// A break in what a card played: an xrun, a restart. Times in ns of CLOCK_MONOTONIC_RAW.
    package struct Resumption: Sendable, Codable, Equatable {
        /// When the last frame before it left.
        package var stopRawNanoseconds: Int64
        /// When the card ran again.
        package var restartRawNanoseconds: Int64
        /// When something was heard again.
        package var soundRawNanoseconds: Int64

        package init(stopRawNanoseconds: Int64, restartRawNanoseconds: Int64, soundRawNanoseconds: Int64) {
            self.stopRawNanoseconds = stopRawNanoseconds
            self.restartRawNanoseconds = restartRawNanoseconds
            self.soundRawNanoseconds = soundRawNanoseconds
        }
    }

    /// The rooms in the order given.
    package var rooms: [Room]
    /// Every pair of rooms.
    package var pairs: [Pair]
    /// All pairs together, from the first audible sample.
    package var all: Spread
    /// When the first audible sample of any room left, ns of CLOCK_MONOTONIC_RAW: 0 of the offsets' seconds.
    package var firstSoundRawNanoseconds: Int64

    package init(rooms: [Room], pairs: [Pair], firstSoundRawNanoseconds: Int64) {
        self.rooms = rooms
        self.pairs = pairs
        self.firstSoundRawNanoseconds = firstSoundRawNanoseconds
        all = Spread(pairs.flatMap { $0.offsets.map(\.microseconds) })
    }
}

extension ComparisonReport.Room {
    /// A room that played all of the song, as far as is known.
    package init(name: String) { self.init(name: name, completeness: 100) }
}
