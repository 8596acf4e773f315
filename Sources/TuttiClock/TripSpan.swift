/// What the round trips of some exchanges were like: how short they can be, and how short a good part of them was.
struct TripSpan: Sendable {
    /// The least delays of both directions together, nanoseconds.
    private var floors: Double
    /// Nanoseconds that a share of the round trips does not exceed.
    private var usual: Double

    /// Nanoseconds that hardly any of them falls short of.
    private var quick: Double

    /// The shares of round trips that are as quick as usual, for most of them may have met a queue, and that are quick.
    private static let (share, quickShare) = (0.3, 0.05)
    /// What stamps alone make of a round trip, nanoseconds.
    private static let noise = 20_000.0

    /// Nil where there are none.
    ///
    /// - Parameter floors: the least delays of both directions together, as a fit has found them, in ns; the quickest
    ///   round trip where that is nil.
    init?(_ samples: [ClockSample], floors: Double? = nil) {
        let lengths = samples.map(\.roundTrip).sorted()
        guard let first = lengths.first else { return nil }
        self.floors = floors ?? first
        usual = lengths[Int(Double(lengths.count - 1) * Self.share)]
        quick = lengths[Int(Double(lengths.count - 1) * Self.quickShare)]
    }

    /// By how much others take longer at the least, in nanoseconds, where that is no chance: where a good part of these
    /// took far less.
    ///
    /// - Parameter floors: the least delays of the others, both directions together, in ns.
    func excess(of floors: Double) -> Double {
        floors > usual + (usual - self.floors) + Self.noise ? floors - self.floors : 0
    }

    /// By how much nearly all of these take longer than others at the least, in nanoseconds, where that is no chance.
    func growth(since others: TripSpan) -> Double { others.excess(of: quick) }

    /// By how much these take longer than others at the least, nanoseconds.
    func excess(over others: TripSpan) -> Double { others.excess(of: floors) }

    /// Whether they scatter so much more than others that something waits which did not then.
    func scatters(moreThan others: TripSpan) -> Bool {
        usual - floors > 2 * (others.usual - others.floors) + Self.noise
    }

    /// What the round trips of both are taken to be like: an offset is known by those that are clearly the quicker
    /// ones.
    func joined(with others: TripSpan) -> TripSpan { others.usual < (floors + usual) / 2 ? others : self }
}
