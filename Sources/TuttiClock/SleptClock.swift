import TuttiCore

/// The line that a host followed before it slept, moved by the time that it has slept: as good as its own count of
/// that.
///
/// Everybody else knows better, if anybody does. Where all hosts of a house have slept nobody does, and the clock would
/// be gone.
struct SleptClock: Sendable {
    /// Nanoseconds for which the others are asked before the clock keeps to such a fit.
    private static let timeout: Int64 = 2_000_000_000
    /// Nanoseconds more for each member that stands before this one, up to a limit: it may have slept as well, and
    /// lead.
    private static let grace: (each: Int64, limit: Int64) = (400_000_000, 4_000_000_000)

    private(set) var line: ClockEstimate
    /// The losses before the leader whose time it was.
    let losses: UInt16
    private var wokeAt: HostTime

    init(line: ClockEstimate, losses: UInt16, wokeAt: HostTime) {
        (self.line, self.losses, self.wokeAt) = (line, losses, wokeAt)
        // Whoever leads along it is the clock.
        (self.line.offsetSigma, self.line.driftSigma) = (0, 0)
    }

    /// The host has slept, once more perhaps, and wakes.
    mutating func sleep(for nanoseconds: Int64, until now: HostTime) {
        line.offset = Nanoseconds.add(line.offset, nanoseconds)
        wokeAt = now
    }

    /// Whether nobody else can be expected to tell the time any more.
    ///
    /// - Parameter place: how many members stand before this one in the order.
    func isAllThereIs(place: Int, now: HostTime) -> Bool {
        let grace = min(Int64(place) * Self.grace.each, Self.grace.limit)
        return now.nanoseconds(since: wokeAt) >= Self.timeout + grace
    }
}
