package import Foundation

/// When the frames of a recording left its card: the runs of one card, as its truth log tells.
///
/// The log is JSON lines, one for each run; the virtual card and the product's file output write the same.
package struct TruthLog: Sendable {
    /// One uninterrupted run: recorded frame `firstFrame + i` left `i / (rate · (1 + ppm · 1e-6))` seconds after
    /// `start`.
    package struct Run: Sendable, Equatable, Decodable {
        /// The number of the run in its log.
        package var run: Int
        /// Nanoseconds of CLOCK_MONOTONIC_RAW at which the run's first frame left.
        package var start: Int64
        /// The card's nominal rate.
        package var rate: Double
        /// How much faster than nominal the card's clock runs.
        package var ppm: Double
        /// Where in the recording the run begins.
        package var firstFrame: Int
        /// The frames of the run.
        package var frames: Int
        /// The recording's name beside the log, when the log says it.
        package var file: String?

        enum CodingKeys: String, CodingKey {
            case run, rate, ppm, frames, file
            case start = "t0_raw_ns"
            case firstFrame = "first_frame"
        }

        /// The frames that leave in a second of true time.
        package var trueRate: Double { rate * (1 + ppm * 1e-6) }
        /// Nanoseconds of CLOCK_MONOTONIC_RAW at which the last frame has left.
        package var end: Int64 { start + Int64(Double(frames) / trueRate * 1e9) }
    }

    /// Something that happened to the card.
    package struct Event: Sendable, Equatable, Decodable {
        /// `xrun`, `forced_xrun`, `unplugged` …
        package var event: String
        /// When, ns of CLOCK_MONOTONIC_RAW, where the log says it.
        package var time: Int64?

        enum CodingKeys: String, CodingKey {
            case event
            case time = "raw_ns"
        }
    }

    /// The runs in the order of time.
    package var runs: [Run]
    /// What happened, in the order of the log.
    package var events: [Event]
    /// How often the card says it underran, by itself or by force.
    package var underruns: Int { events.count { $0.event.hasSuffix("xrun") } }

    /// Reads the log at `path`.
    package init(path: String) throws(AnalysisError) {
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path: path) }
        try self.init(parsing: data, path: path)
    }

    /// Reads the text of a log; `path` names it in errors.
    package init(parsing data: Data, path: String) throws(AnalysisError) {
        runs = []
        events = []
        let decoder = JSONDecoder()
        for line in data.split(separator: UInt8(ascii: "\n")) {
            if let run = try? decoder.decode(Run.self, from: line) {
                runs.append(run)
            } else if let event = try? decoder.decode(Event.self, from: line) {
                events.append(event)
            } else {
                throw .badTruthLog(path: path, reason: "line \"\(String(decoding: line.prefix(60), as: UTF8.self))\"")
            }
        }
        runs.removeAll { $0.frames == 0 }
        runs.sort { $0.start < $1.start }
        guard !runs.isEmpty else { throw .badTruthLog(path: path, reason: "no run") }
        let isSane = runs.allSatisfy {
            (1000...1_000_000).contains($0.rate) && abs($0.ppm) < 10_000 && $0.firstFrame >= 0
                && (0..<1_000_000_000_000).contains($0.frames) && $0.start >= 0
        }
        guard isSane else { throw .badTruthLog(path: path, reason: "a run out of range") }
    }
}
