/// By how much round trips are longer than the quickest on a link as it is, with all that others send.
struct UsualQueue: Sendable {
    /// Nanoseconds that it is taken for at most.
    private static let longest = 2e8
    /// Less is learnt in so many nanoseconds, and more, which might be a queue of our own making, in so many.
    private static let times = (less: 3e8, more: 1e10)
    /// Looks after which it is known.
    private static let looksToKnow = 3
    /// Nanoseconds beyond the usual, and how many times the usual it takes besides, to call it a queue.
    private static let (tolerance, multiple) = (0.5e6, 2.5)

    private var nanoseconds = 0.0
    private var looks = 0

    var isKnown: Bool { looks >= Self.looksToKnow }

    /// Nanoseconds from which on what is usual may as well be a queue of our own making, that stood while it was
    /// learnt.
    private static let doubtful = 3e6
    private var isTried = false

    /// Whether it has to be found out whose queue it is: by sending less for a moment.
    var isDoubtful: Bool { isKnown && !isTried && nanoseconds > Self.doubtful }

    /// Less was sent for a moment, and so long a queue was left.
    mutating func tried(leaving queue: Double) {
        isTried = true
        nanoseconds = min(nanoseconds, queue)
    }

    /// Nanoseconds of a queue that are too many.
    var limit: Double { Self.tolerance + Self.multiple * nanoseconds }

    /// It has turned out to be that.
    mutating func take(_ queue: Double) { nanoseconds = min(max(queue, nanoseconds), Self.longest) }

    /// Learns from a look at a link that carries what is sent.
    ///
    /// - Parameter elapsed: nanoseconds since the look before.
    mutating func learn(_ queue: Double, elapsed: Double) {
        let time = queue < nanoseconds ? Self.times.less : Self.times.more
        let gain = isKnown ? min(1, elapsed / time) : 1 / Double(looks + 1)
        nanoseconds = min(nanoseconds + (queue - nanoseconds) * gain, Self.longest)
        looks += 1
    }
}
