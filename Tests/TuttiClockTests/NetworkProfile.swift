/// How a link delays, in nanoseconds; the laboratory's profiles.
struct NetworkProfile {
    var name: String
    var base: (there: Double, back: Double)
    var jitter: Double
    /// Lengths of stalls that hold everything up, and their mean distance.
    var stalls: ClosedRange<Double>?
    var loss = 0.0
    /// How many of the packets on the way back find something in front of them, and how long that takes at most.
    var traffic: (share: Double, length: Double)?
    /// How many such links lie in a row: two when leader and follower are each behind one.
    var hops = 1

    /// The same link at both ends.
    var twice: NetworkProfile {
        var twice = self
        twice.name += "×2"
        twice.hops = 2
        return twice
    }

    static let lan = NetworkProfile(name: "lan", base: (80_000, 80_000), jitter: 15_000)
    static let wifi = NetworkProfile(
        name: "wifi", base: (900_000, 900_000), jitter: 900_000, stalls: 8e6...40e6, loss: 0.001)
    static let badwifi = NetworkProfile(
        name: "badwifi", base: (2e6, 2e6), jitter: 3e6, stalls: 40e6...250e6, loss: 0.01)
    /// A slow cable that carries music half of the time, in packets of 34 ms.
    static let busy = NetworkProfile(name: "busy", base: (2.1e6, 2.1e6), jitter: 15_000, traffic: (0.6, 34e6))
    static let asymmetric = NetworkProfile(name: "asym", base: (200_000, 2_000_000), jitter: 15_000)
}

/// The links between two hosts, both directions.
struct VirtualLink {
    var profile: NetworkProfile
    private var hops: [VirtualHop]

    init(_ profile: NetworkProfile, generator: inout SeededGenerator) {
        self.profile = profile
        hops = []
        for _ in 0..<profile.hops { hops.append(VirtualHop(generator: &generator)) }
    }

    /// When what is sent at `time` arrives; nil when it is lost.
    mutating func arrival(of time: Double, back: Bool, generator: inout SeededGenerator) -> Double? {
        var time = time
        for index in hops.indices {
            let hop = back ? hops.count - 1 - index : index
            guard let next = hops[hop].arrival(of: time, back: back, profile: profile, generator: &generator) else {
                return nil
            }
            time = next
        }
        return time
    }
}

/// One link, both directions; keeps the order within each.
private struct VirtualHop {
    private var stallStart: Double
    private var stallEnd = 0.0
    private var last = [0.0, 0.0]

    init(generator: inout SeededGenerator) {
        stallStart = 2e9 * generator.uniform()
    }

    /// When what is sent at `time` arrives; nil when it is lost.
    mutating func arrival(
        of time: Double, back: Bool, profile: NetworkProfile, generator: inout SeededGenerator
    ) -> Double? {
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
        if back, let traffic = profile.traffic, generator.uniform() < traffic.share {
            leave += generator.uniform() * traffic.length
        }
        let base = back ? profile.base.back : profile.base.there
        let index = back ? 1 : 0
        last[index] = max(last[index], leave + base + generator.exponential(mean: profile.jitter))
        return last[index]
    }
}
