import TuttiSchema
package import TuttiWire

/// How long before an instant a room has to hear of what changes then.
package enum ChangeLead {
    /// What a room that reports nothing about itself is taken to need, ms: cards buffer 40 ms.
    private static let usual = 50.0
    /// For this host, and for a room to decode what it is to begin with, ms.
    private static let work = 15.0
    /// A link is taken to be late at times by so many of its round trips: packets are lost, radio pauses.
    private static let roundTrips = 20.0
    /// No lead is shorter or longer, ms, but for what a room's output delay adds: what comes later still is late.
    private static let range = 50.0...400

    /// The lead of a room, in ns.
    package static func nanoseconds(for status: SpeakerStatus) -> Int64 {
        let network = max(0, status.rttUs ?? 0) / 1000 * roundTrips
        let lead = max(0, status.leadMs ?? usual) + work + min(network, 200)
        // What plays so much later has left so much earlier.
        let delay = min(max(0, status.outputDelayMs), WireLimits.outputDelayMs.upperBound)
        return Int64(min(max(lead, range.lowerBound), range.upperBound + delay) * 1e6)
    }

    /// Whether a lead, in ns, is longer than cards and links make it: a room plays much later than audio leaves its
    /// card.
    package static func isLong(_ nanoseconds: Int64) -> Bool { Double(nanoseconds) > range.upperBound * 1e6 }

    /// The lead of rooms of which nothing is known, in ns.
    static let unknown: Int64 = 80_000_000
}
