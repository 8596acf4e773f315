/// How a link delays, in nanoseconds; the laboratory's profiles.
struct NetworkProfile {
    var name: String
    var base: (there: Double, back: Double)
    var jitter: Double
    /// Lengths of stalls that hold everything up, and their mean distance.
    var stalls: ClosedRange<Double>?
    var loss = 0.0

    static let lan = NetworkProfile(name: "lan", base: (80_000, 80_000), jitter: 15_000)
    static let wifi = NetworkProfile(
        name: "wifi", base: (900_000, 900_000), jitter: 900_000, stalls: 8e6...40e6, loss: 0.001)
    static let badwifi = NetworkProfile(
        name: "badwifi", base: (2e6, 2e6), jitter: 3e6, stalls: 40e6...250e6, loss: 0.01)
    static let asymmetric = NetworkProfile(name: "asym", base: (200_000, 2_000_000), jitter: 15_000)
}

/// One link, both directions; keeps the order within each.
struct VirtualLink {
    var profile: NetworkProfile
    private var stallStart: Double
    private var stallEnd = 0.0
    private var last = [0.0, 0.0]

    init(_ profile: NetworkProfile, generator: inout SeededGenerator) {
        self.profile = profile
        stallStart = 2e9 * generator.uniform()
    }

    /// When what is sent at `time` arrives; nil when it is lost.
    mutating func arrival(of time: Double, back: Bool, generator: inout SeededGenerator) -> Double? {
        if generator.uniform() < profile.loss { return nil }
        var leave = time
        if let stalls = profile.stalls {
            while time > max(stallEnd, stallStart) || stallEnd < stallStart {
                if stallEnd >= stallStart { stallStart = stallEnd + generator.exponential(mean: 2e9) }
                stallEnd =
                    stallStart + stalls.lowerBound + (stalls.upperBound - stalls.lowerBound) * generator.uniform()
            }
            if time >= stallStart { leave = stallEnd }
        }
        let base = back ? profile.base.back : profile.base.there
        let index = back ? 1 : 0
        last[index] = max(last[index], leave + base + generator.exponential(mean: profile.jitter))
        return last[index]
    }
}
