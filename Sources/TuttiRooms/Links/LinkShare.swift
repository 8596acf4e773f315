package import TuttiCore

/// What one connection has in common with others: a link that is full for all of them.
struct LinkShare: Sendable {
    /// Nanoseconds within which connections see the same queue.
    private static let together: Int64 = 60_000_000
    /// The share of a queue that is too long which shows that it is the others' queue.
    static let glimpse = 0.5

    /// Whether a queue has been met since others were last asked whether they see it.
    private(set) var hasMet = false
    /// Whether nothing was known of the link before, and bytes a second that came through when it was full.
    private(set) var (isNew, through) = (false, 0.0)
    /// When something of a queue was seen last.
    var seenAt: HostTime?
    /// Names the link; nil while none is known that others use, too.
    private(set) var link: Int64?
    /// Whether something is sent.
    var isUsed = false

    /// The link is full.
    mutating func meet(_ through: Double, isNew: Bool) { (hasMet, self.through, self.isNew) = (true, through, isNew) }

    /// Whether a queue that is met now is seen here as well.
    func sees(now: HostTime) -> Bool {
        isUsed && (hasMet || seenAt.map { now.nanoseconds(since: $0) <= Self.together } ?? false)
    }

    /// It has been found who is on the link besides.
    mutating func join(_ link: Int64?) { (hasMet, isNew, self.link) = (false, false, link) }
}

extension LinkPace {
    /// Shares out the links that connections have in common, after each round of looks.
    ///
    /// All who see a queue when one of them meets one wait in the same one. They yield together, and each gets an equal
    /// share of what comes through for all of them. Whoever sends no more leaves its share to the others.
    package static func share(_ paces: inout [LinkPace], now: HostTime) {
        for index in paces.indices where !paces[index].share.isUsed { leave(index, &paces) }
        guard paces.contains(where: \.share.hasMet) else { return }
        let group = paces.indices.filter { paces[$0].share.sees(now: now) }
        for index in group { paces[index].yieldWithOthers() }
        // Of a link on which somebody is new, what was known counts no more.
        let isNew = group.contains { paces[$0].share.isNew }
        let total = group.reduce(0) { $0 + (isNew ? paces[$1].share.through : paces[$1].rate) }
        for index in group {
            paces[index].rate = max(total / Double(group.count), paces[index].unprovenLeast)
            paces[index].share.join(group.count > 1 ? now.nanoseconds : nil)
        }
    }

    private static func leave(_ index: Int, _ paces: inout [LinkPace]) {
        guard let link = paces[index].share.link else { return }
        paces[index].share.join(nil)
        let others = paces.indices.filter { paces[$0].share.link == link }
        for other in others {
            paces[other].rate = min(usualMost, paces[other].rate + paces[index].rate / Double(others.count))
        }
    }
}
