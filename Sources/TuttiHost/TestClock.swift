import TuttiCore

/// The warp that `TUTTI_TEST_CLOCK` lays over a host's clock, so that hosts which share one kernel (network namespaces
/// on one machine) have clocks that differ. A test seam; without it a host's clock is `CLOCK_MONOTONIC_RAW` itself.
///
/// `host = raw + offset + ppm·10⁻⁶·raw + ½·drift·10⁻⁶/60 s·(raw − origin)² − sleep`: two processes of one host with the
/// same text agree as long as no `drift` or `sleep` is given, whenever they started.
struct TestClock: Sendable, Equatable {
    /// Nanoseconds added; at most ±10⁶ s.
    var offset: Int64 = 0
    /// Rate error in parts per million; at most ±10 000.
    var ppm: Double = 0
    /// How the rate error grows, in ppm a minute, from `origin` on; at most ±1000.
    var driftPpmPerMinute: Double = 0
    /// How long it stands still, as that of a host that sleeps, in ns; 0 … 10⁵ s.
    var sleep: Int64 = 0
    /// When that begins, in ns after `origin`.
    var sleepStart: Int64 = 0
    /// How far the system clock, which then counts as synchronised, is ahead of itself, in ns; nil leaves it as it is.
    var system: Int64?
    /// The raw reading at which the drift begins, in ns.
    var origin: Int64 = 0

    /// Whether two processes that start at different times have different clocks.
    var isOfProcess: Bool { driftPpmPerMinute != 0 || sleep != 0 }

    /// Parses "ppm=20,offset=3.5s,drift=1,sleep=6s@18s,system=0s"; every part may be missing. Times have a unit: s, ms,
    /// us or ns.
    init?(parsing text: String, origin: Int64) {
        self.origin = origin
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map(\.trimmed)
            guard pair.count == 2 else { return nil }
            switch pair[0] {
            case "ppm":
                guard let value = Double(pair[1]), abs(value) <= 10_000 else { return nil }
                ppm = value
            case "drift":
                guard let value = Double(pair[1]), abs(value) <= 1000 else { return nil }
                driftPpmPerMinute = value
            case "offset":
                guard let value = Self.nanoseconds(of: pair[1]) else { return nil }
                offset = value
            case "system":
                guard let value = Self.nanoseconds(of: pair[1]) else { return nil }
                system = value
            case "sleep":
                let times = pair[1].split(separator: "@").compactMap { Self.nanoseconds(of: String($0)) }
                guard times.count == 2, times.allSatisfy({ (0...100_000_000_000_000).contains($0) }) else { return nil }
                (sleep, sleepStart) = (times[0], times[1])
            default: return nil
            }
        }
    }

    private static func nanoseconds(of text: String) -> Int64? {
        let units: [(String, Double)] = [("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9)]
        guard let (suffix, factor) = units.first(where: { text.hasSuffix($0.0) }),
            let value = Double(text.dropLast(suffix.count)), abs(value * factor) <= 1e15
        else { return nil }
        return Int64((value * factor).rounded())
    }

    /// The warped reading for a raw one, both in ns.
    func warped(_ raw: Int64) -> Int64 {
        let sinceOrigin = Double(raw &- origin)
        let bend = 0.5 * driftPpmPerMinute * 1e-6 / 60e9 * sinceOrigin * sinceOrigin
        let extra = Double(raw) * ppm * 1e-6 + bend
        guard abs(extra) < 1e18 else { return raw }
        return raw &+ offset &+ Int64(extra.rounded()) &- slept(at: raw)
    }

    /// For how long it has stood still by a raw reading, in ns.
    func slept(at raw: Int64) -> Int64 { min(max(raw &- origin &- sleepStart, 0), sleep) }

    /// How fast the warped clock runs against the raw one at a raw reading.
    func rate(at raw: Int64) -> Double {
        1 + ppm * 1e-6 + driftPpmPerMinute * 1e-6 / 60e9 * Double(raw &- origin)
    }
}
