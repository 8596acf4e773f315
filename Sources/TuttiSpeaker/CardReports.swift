package import TuttiCore

/// When a room that is the reference reports its card: regularly, and more often while its rate is news and nothing
/// plays.
package struct CardReports: Sendable {
    /// Nanoseconds without a word from the sender after which the room is no reference: nobody tells the others of its
    /// card then.
    private static let silence: Int64 = 3_000_000_000
    /// Nanoseconds between two reports of the card, and between two of one whose rate is news.
    private static let (interval, newsInterval): (Int64, Int64) = (240_000_000, 50_000_000)
    /// How far the card's rate may be from the line's slope for the room to be ready, as a plain ratio.
    package static let rateTolerance = 2e-6

    private var senderHeard: HostTime?
    private var last: (fit: ReferenceFit, at: HostTime)?

    /// Nobody has been told.
    package init() {}

    /// The sender has said how playback time runs.
    package mutating func heardSender(now: HostTime) { senderHeard = now }

    /// The room has become the reference, or is it no more.
    package mutating func restart() { last = nil }

    /// Whether the sender has said nothing for so long that nobody may care for the card.
    package func isSenderSilent(now: HostTime) -> Bool {
        senderHeard.map { now.nanoseconds(since: $0) > Self.silence } ?? false
    }

    /// Whether it is time to report `fit`, which counts as reported then.
    package mutating func isDue(_ fit: ReferenceFit, isSounding: Bool, now: HostTime) -> Bool {
        if let last {
            let isNews = !isSounding && abs(fit.slope - last.fit.slope) > Self.rateTolerance / 4
            let interval = isNews ? Self.newsInterval : Self.interval
            guard now.nanoseconds(since: last.at) >= interval else { return false }
        }
        last = (fit, now)
        return true
    }
}
