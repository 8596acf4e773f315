/// When the next request is due: a burst to start with, then as often as the estimate needs it.
struct PollSchedule: Sendable {
    /// How many requests are sent at which interval, nanoseconds: ever fewer, for the newest tell most.
    private static let opening: [(count: Int, interval: Int64)] = [
        (64, 5_000_000), (70, 10_000_000), (100, 20_000_000), (140, 50_000_000), (200, 100_000_000),
    ]
    private static let openingCount = opening.reduce(0) { $0 + $1.count }
    /// After so many requests without a reply the leader is asked once a second.
    static let mostUnanswered = 80
    /// How often one asks who knows the clock well, in nanoseconds.
    private static let calmInterval: Int64 = 250_000_000
    /// How often one asks who plays nothing, and how well it has to know the clock by then, both in nanoseconds: a
    /// second's sound is then in step as well as the clock is known, and what is asked meanwhile refines it.
    private static let idle = (interval: Int64(1_000_000_000), sigma: 20_000.0)
    /// From which round trip on a link may be a narrow one, how many times as long as what is beyond that the opening's
    /// intervals are there, and how long at most; nanoseconds.
    private static let narrow = (from: 2e6, factor: 5.0, longest: 40e6)
    /// How many times as long it waits once the opening is over: 1, or more where many members have to be cheap.
    private let pollDivisor: Int64
    private var sent = 0

    init(pollDivisor: Int64 = 1) { self.pollDivisor = max(pollDivisor, 1) }

    /// Nanoseconds from one request to the next.
    ///
    /// - Parameters:
    ///   - offsetSigma: standard deviation of the offset, nanoseconds; nil without an estimate.
    ///   - unanswered: requests in a row without a reply.
    ///   - isIdle: whether nothing is to be played.
    ///   - shortestTrip: the shortest round trip of the last minute, nanoseconds; nil while there was none.
    func interval(
        offsetSigma: Double?, unanswered: Int, isIdle: Bool = false, shortestTrip: Double? = nil
    ) -> Int64 {
        // Nobody answers: there is nothing to be gained from asking often.
        precondition(unanswered >= 0, "requests are counted up")
        if unanswered >= Self.mostUnanswered { return 1_000_000_000 }
        var first = 0
        for phase in Self.opening {
            first += phase.count
            guard sent < first else { continue }
            let interval = offsetSigma.map { $0 > 6_000 } == true ? min(phase.interval, 50_000_000) : phase.interval
            return max(interval, Self.interval(onLinkOf: shortestTrip ?? 0))
        }
        guard let offsetSigma else { return 100_000_000 }
        if isIdle, offsetSigma <= Self.idle.sigma { return max(Self.idle.interval, Self.calmInterval * pollDivisor) }
        if offsetSigma > 6_000 { return 50_000_000 * pollDivisor }
        return (offsetSigma > 300 ? 125_000_000 : Self.calmInterval) * pollDivisor
    }

    /// The shortest interval on a link with such a round trip, nanoseconds. A link that needs milliseconds for a datagram
    /// is kept busy by one each 5 ms, and what waits for it hides how long the link itself takes.
    private static func interval(onLinkOf shortestTrip: Double) -> Int64 {
        Int64(min(max(shortestTrip - narrow.from, 0) * narrow.factor, narrow.longest))
    }

    mutating func noteSent() { sent = min(sent + 1, Self.openingCount) }
    /// Starts the burst again, as after a stepped clock.
    mutating func restart() { sent = 0 }
}
