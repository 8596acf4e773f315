/// Something that a link does wrong besides what its profile says: in both directions, unless it says one. What its
/// number means:
package enum LinkFault: String, Sendable {
    /// Percent of the frames that are lost.
    case loss
    /// Percent of the frames that come twice, the second time up to 3 ms later.
    case twice
    /// Percent of the frames that are held back by up to 3 ms, so that others overtake them.
    case overtaken
    /// Kilobits that pass in a second; a queue of 64 KiB is in front.
    case rate
    /// Milliseconds that the queue in front of a link of limited rate holds, in place of the 64 KiB. Comes after the
    /// rate.
    case queue
    /// The number of the air that a link of limited rate goes through, with all others that have this number. Comes
    /// after the rate.
    case air
    /// Whether the queue in front of a link of limited rate keeps flows apart (fq_codel): 1 or 0. Comes after the rate.
    case fair
    /// Milliseconds of queue that somebody else's upload keeps in front of the way from the host.
    case upload
    /// Percent of the frames with a class of service (DSCP) that are lost.
    case marked
    /// Bytes of the longest packet that passes: longer ones vanish, and nobody is told.
    case mtu

    /// Bytes of the queue in front of a slow link: what a cheap router holds.
    private static let queueBytes: Int64 = 64 << 10

    /// Whether there is such a fault.
    func accepts(_ value: Double) -> Bool {
        switch self {
        case .loss, .twice, .overtaken, .marked: (0...100).contains(value)
        case .rate: (1...10_000_000).contains(value)
        case .queue: (0.1...10_000).contains(value)
        case .air: (1...64).contains(value)
        case .fair: value == 0 || value == 1
        case .upload: (1...10_000).contains(value)
        case .mtu: (68...65_535).contains(value)
        }
    }

    /// Lets one direction of a link have it.
    func apply(_ value: Double, to direction: inout LinkDirection, isUplink: Bool) {
        switch self {
        case .loss: direction.loss = value / 100
        case .twice: direction.duplication = value / 100
        case .overtaken: direction.overtaking = value / 100
        case .rate: direction.capacity = .init(bitsPerSecond: Int64(value * 1_000), queueBytes: Self.queueBytes)
        case .queue:
            guard let rate = direction.capacity?.bitsPerSecond else { break }
            direction.capacity?.queueBytes = Int64(Double(rate) / 8_000 * value)
        case .air: direction.capacity?.air = Int(value)
        case .fair: direction.capacity?.isFair = value == 1
        case .upload: if isUplink { direction.crowd = Int64(value * 1e6) }
        case .marked: direction.markedLoss = value / 100
        case .mtu: direction.largestPacket = UInt32(value)
        }
    }
}
