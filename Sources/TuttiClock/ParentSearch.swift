import TuttiCore

/// A look around for somebody to ask, while the parent is silent or has nothing new to say.
struct ParentSearch<Address: Hashable & Sendable>: Sendable {
    /// Somebody who knows the clock.
    struct Finding: Sendable {
        var address: Address
        /// Where its time comes from; nil for an older program, which does not say.
        var descent: ClockDescent?
        /// When it was asked.
        var askedAt: HostTime
    }

    /// Nanoseconds between two rounds of questions to all.
    static var interval: Int64 { 100_000_000 }
    /// Nanoseconds for which answers are waited for when the parent is left though it speaks.
    static var wait: Int64 { 150_000_000 }
    /// Nanoseconds that those before a member are given, from when it would lead, to lead themselves.
    static var grace: Int64 { 400_000_000 }

    /// Whether the parent is left whatever it says, unless it is news.
    let isForced: Bool
    /// When the search began.
    let begin: HostTime
    /// What the lost leader said until then is no sign that it lives; nil where it has said nothing yet.
    let lostSince: HostTime?
    /// When all are asked the next time.
    var nextRound: HostTime
    /// Since when nothing but finding somebody, or leading, is left to do.
    var overSince: HostTime?
    /// Whether one that stands before this member in the order has answered, but has not noticed the loss yet.
    var hasEarlier = false
    /// The best that was found so far.
    var best: Finding?

    init(isForced: Bool, lostSince: HostTime?, now: HostTime) {
        self.isForced = isForced
        self.lostSince = lostSince
        (begin, nextRound) = (now, now)
    }
}
