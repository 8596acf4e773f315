import TuttiCards

extension LinkProfile {
    /// The link of a seed, out of the population of those in houses, named for what it is.
    package static func drawn(seed: UInt64) -> LinkProfile {
        let traits = LinkTraits.drawn(seed: seed)
        var direction = LinkDirection(base: traits.base, jitter: traits.jitter, loss: traits.loss)
        direction.stall = traits.stall
        direction.capacity = .init(
            bitsPerSecond: traits.bitsPerSecond,
            queueBytes: Int64(Double(traits.bitsPerSecond) * Double(traits.queue) / 8e9), isFair: traits.isFair)
        let queue = traits.isFair ? "fq" : "\(traits.queue / 1_000_000)ms"
        return LinkProfile(
            name: "\(traits.medium.rawValue)#\(seed)(\(traits.bitsPerSecond / 1_000_000)M,\(queue))",
            uplink: direction, downlink: direction)
    }
}
