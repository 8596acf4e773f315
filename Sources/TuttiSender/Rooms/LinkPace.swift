package import TuttiCore

/// How fast a connection may send, by what the kernel says of it, so that no queue stands on a slow link.
///
/// What is sent faster than a link carries waits in front of it, for a second and more, and the clock's answers wait with it. How much a
/// link carries shows only while something waits. So a queue that is found is let through, what came out of it meanwhile is taken for
/// what the link carries, and a little less is sent from then on. A little more is tried again and again, more seldom each time that it was
/// too much. Links that carry several programmes are left alone.
package struct LinkPace: Sendable {
    /// What the kernel says.
    package struct Look: Sendable {
        package var now: HostTime
        /// Bytes that have arrived since the connection was made.
        package var arrived: UInt64
        /// Bytes on their way.
        package var underway: Int
        /// Nanoseconds of the last round trips, and of the quickest.
        package var (roundTrip, leastRoundTrip): (Int64, Int64)
        /// Whether more waits to be sent.
        package var isCrowded: Bool

        package init(
            now: HostTime, arrived: UInt64, underway: Int, roundTrip: Int64, leastRoundTrip: Int64, isCrowded: Bool
        ) {
            (self.now, self.arrived, self.underway, self.isCrowded) = (now, arrived, underway, isCrowded)
            (self.roundTrip, self.leastRoundTrip) = (roundTrip, leastRoundTrip)
        }
    }

    private enum Phase: Equatable {
        /// Nothing is known that would be a limit.
        case free
        /// Next to nothing is sent until what waits is through.
        case draining(since: HostTime)
        /// The link carries so much and no more.
        case held
    }

    /// Bytes a second from which on a link is no matter: eight times a programme.
    private static let ample = 1_000_000.0
    /// Nanoseconds for which something waits on a link that is full, and by how many its round trips are longer than the quickest.
    private static let full = (queue: 0.1e9, trip: Int64(50_000_000))
    /// Nanoseconds for which something waits on a link that is through with its queue.
    private static let empty = 0.03e9
    /// Bytes on their way that are no queue: two segments, which the kernel sends at once.
    private static let segments = 3_000
    /// The share of what a link carries that is sent while it drains, for how many nanoseconds at most, and how many it takes to tell what
    /// comes through.
    private static let draining = (share: 0.25, time: Int64(3_000_000_000), telling: Int64(300_000_000))
    /// By how much more is tried, and the nanoseconds until more than that is.
    private static let rise = (factor: 1.25, interval: Int64(1_000_000_000))
    /// Nanoseconds until more is tried, at first and at most.
    private static let patience = (first: Int64(2_000_000_000), longest: Int64(16_000_000_000))
    /// Looks whose rates are kept: of some the link may have stood still.
    private static let rateCount = 3
    /// Looks in a row at which something waits that show that no more could have been sent.
    private static let telling = 4

    /// Bytes a second that the link is taken to carry; nil while that is no limit.
    package private(set) var capacity: Double?
    private var phase = Phase.free
    /// The last looks at a connection on which something was on its way all the time.
    private var recent: [Look] = []
    /// From where on what comes through a full link is counted.
    private var begin: Look?
    /// Looks in a row at which more waited to be sent.
    private var crowded = 0
    /// When something has arrived last.
    private var arrival: (bytes: UInt64, at: HostTime)?
    private var nextRise = HostTime(nanoseconds: 0)
    private var patience = Self.patience.first

    package init() {}

    /// Whether next to nothing is to be sent until what waits is through.
    package var isDraining: Bool { if case .draining = phase { true } else { false } }

    /// Bytes a second to be sent at most; nil for no limit.
    ///
    /// - Parameter share: of what the link carries.
    package func limit(share: Double) -> Double? {
        guard let capacity else { return nil }
        return capacity * (isDraining ? Self.draining.share : share)
    }

    /// Something else has found out that the link carries no more than so many bytes a second.
    package mutating func learn(_ rate: Double, now: HostTime) {
        guard capacity == nil, rate < Self.ample else { return }
        (capacity, phase, nextRise) = (rate, .held, now.advanced(byNanoseconds: patience))
    }

    /// The connection was made anew; the link is what it was.
    package mutating func reconnected(now: HostTime) {
        (recent, arrival) = ([], nil)
        if isDraining { hold(now: now) }
    }

    /// Whether something has arrived in the last so many nanoseconds, by the kernel's word.
    package func hasArrived(within time: Int64, now: HostTime) -> Bool {
        arrival.map { now.nanoseconds(since: $0.at) <= time } ?? false
    }

    /// Takes a look, ten times a second.
    package mutating func take(_ look: Look) {
        if look.arrived != arrival?.bytes { arrival = (look.arrived, look.now) }
        crowded = look.isCrowded ? crowded + 1 : 0
        guard look.underway > 0, recent.last.map({ look.arrived >= $0.arrived }) ?? true else {
            recent = []
            if isDraining { hold(now: look.now) } else { riseIfDue(now: look.now) }
            return
        }
        recent = recent.suffix(Self.rateCount) + [look]
        let rate = rate
        guard rate > 0 else { return }
        let queue = Double(look.underway - Self.segments) / rate * 1e9 - Double(look.leastRoundTrip)
        if case .draining(let since) = phase {
            if queue < Self.empty || look.now.nanoseconds(since: since) > Self.draining.time { settle(look) }
        } else if recent.count > 2, rate < Self.ample, queue > Self.full.queue,
            look.roundTrip - look.leastRoundTrip > Self.full.trip
        {
            drain(look, rate: rate)
        } else {
            riseIfDue(now: look.now)
        }
    }

    /// Bytes a second that come through: where nothing is known yet the most of the last looks, for it may be no more than a stall.
    private var rate: Double {
        guard phase == .free else { return recent.last.map { $0.rate(since: recent[0]) } ?? 0 }
        return zip(recent, recent.dropFirst()).map { $1.rate(since: $0) }.max() ?? 0
    }

    /// The link is full.
    private mutating func drain(_ look: Look, rate: Double) {
        begin = look
        if let known = capacity {
            // The last step was too much.
            capacity = known / Self.rise.factor
            patience = min(patience * 2, Self.patience.longest)
        } else {
            capacity = rate
        }
        phase = .draining(since: look.now)
    }

    /// What waited is through: what came through meanwhile is what the link carries.
    private mutating func settle(_ look: Look) {
        if let begin, let known = capacity, look.now.nanoseconds(since: begin.now) >= Self.draining.telling {
            capacity = min(known, look.rate(since: begin))
        }
        hold(now: look.now)
    }

    private mutating func hold(now: HostTime) {
        (phase, begin, recent) = (.held, nil, [])
        nextRise = now.advanced(byNanoseconds: patience)
    }

    /// Tries a little more, where all that may be sent has been sent for a while and nothing waits.
    private mutating func riseIfDue(now: HostTime) {
        guard phase == .held, now >= nextRise, crowded >= Self.telling else { return }
        let next = (capacity ?? 0) * Self.rise.factor
        guard next < Self.ample else { return self = LinkPace() }
        capacity = next
        nextRise = now.advanced(byNanoseconds: Self.rise.interval)
    }
}

extension LinkPace.Look {
    /// Bytes a second that have arrived since an earlier look.
    fileprivate func rate(since earlier: LinkPace.Look) -> Double {
        let time = Double(now.nanoseconds(since: earlier.now)) * 1e-9
        return time > 0 && arrived >= earlier.arrived ? Double(arrived - earlier.arrived) / time : 0
    }
}
