/// The round trips of the last minute, to tell the quick ones from those that waited somewhere.
struct RoundTrips: Sendable {
    /// How long a round trip is remembered, nanoseconds.
    private static let memory = 60e9
    private static let capacity = 512
    /// The share of the round trips that counts as quick.
    private static let quickShare = 0.7
    /// Where the quick ones alone scatter by more, in nanoseconds, the link is no wire; every exchange is needed there.
    private static let wiredScatter = 300_000.0
    /// Behind a queue that comes and goes some find it empty: they are as one on a cable, within so many nanoseconds of
    /// the quickest, however long the others are. Above the least number of them, and this many times as many as a
    /// queue that is always there would leave so near its floor, they alone count.
    private static let (emptyScatter, fewestEmpty, emptySurplus) = (100_000.0, 12.0, 4.0)
    /// The share of the round trips that are the latest, and what part of the empty ones that are due among them there
    /// has to be.
    private static let (lateShare, leastLate) = (0.25, 0.25)
    /// Where they scatter by more, a clock whose rate has jumped cannot be told from a queue, in nanoseconds.
    private static let tellingScatter = 3_000_000.0
    /// Round trips before any is called slow.
    private static let samplesToJudge = 48

    private var recent: [(time: Double, length: Double)] = []
    /// Round trips up to this one are quick, nanoseconds.
    private(set) var limit = Double.infinity
    private var unsorted = 0
    /// Whether they scatter so little that a jump of the rate shows.
    private(set) var areTelling = false

    /// Whether they scatter as little as those over cables; false while that is unknown.
    var isWired: Bool { limit < .infinity }

    /// The fastest one, nanoseconds.
    var least: Double? { recent.lazy.map(\.length).min() }

    /// Takes one that took `length` nanoseconds at host time `time`.
    mutating func take(_ length: Double, at time: Double) {
        recent.append((time, length))
        if recent.count > Self.capacity { recent.removeFirst() }
        while let first = recent.first, time - first.time > Self.memory { recent.removeFirst() }
        precondition((1...Self.capacity).contains(recent.count), "the newest round trip is kept, and few others")
        unsorted += 1
        if unsorted >= 8, recent.count >= Self.samplesToJudge {
            unsorted = 0
            let sorted = recent.map(\.length).sorted()
            let quick = sorted[Int(Double(sorted.count) * Self.quickShare)]
            let scatter = quick - sorted[0]
            limit = scatter < Self.wiredScatter ? quick : limitOfEmpty(sorted, scatter: scatter)
            areTelling = scatter < Self.tellingScatter
        }
    }

    /// Up to where round trips have met no queue, if enough of them have, and still do; all count where they have not.
    /// Those before a queue, or before a radio's bad moment, would otherwise be all that is known for a minute.
    ///
    /// - Parameter scatter: of the quick ones, nanoseconds; of an exponential queue it is the mean times −ln(1 − 0.7).
    private func limitOfEmpty(_ sorted: [Double], scatter: Double) -> Double {
        let limit = sorted[0] + Self.emptyScatter
        let count = Double(sorted.prefix { $0 <= limit }.count)
        let expected = Double(sorted.count) * 1.2 * Self.emptyScatter / scatter
        guard count >= max(Self.fewestEmpty, Self.emptySurplus * expected) else { return .infinity }
        let late = recent.suffix(Int(Double(recent.count) * Self.lateShare)).count { $0.length <= limit }
        return Double(late) >= Self.leastLate * Self.lateShare * count ? limit : .infinity
    }

    mutating func forget() { self = RoundTrips() }
}
