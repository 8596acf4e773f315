/// Something that a link does wrong besides what its profile says: in both directions, unless it says one.
package enum LinkFault: Sendable, Equatable {
    /// Percent of the frames that are lost.
    case loss(Double)
    /// Percent of the frames that come twice, the second time up to 3 ms later.
    case twice(Double)
    /// Percent of the frames that are held back by up to 3 ms, so that others overtake them.
    case overtaken(Double)
    /// Kilobits that pass in a second; a queue of 64 KiB is in front.
    case rate(Double)
    /// Milliseconds that the queue in front of a link of limited rate holds, in place of the 64 KiB. Comes after the rate.
    case queue(Double)
    /// The number of the air that a link of limited rate goes through, with all others that have this number. Comes after the rate.
    case air(Double)
    /// Whether the queue in front of a link of limited rate keeps flows apart (fq_codel): 1 or 0. Comes after the rate.
    case fair(Double)
    /// Milliseconds of queue that somebody else's upload keeps in front of the way from the host.
    case upload(Double)
    /// Percent of the frames with a class of service (DSCP) that are lost.
    case marked(Double)
    /// Bytes of the longest packet that passes: longer ones vanish, and nobody is told.
    case mtu(Double)

    /// Bytes of the queue in front of a slow link: what a cheap router holds.
    private static let queueBytes: Int64 = 64 << 10

    /// - Parameters:
    ///   - name: as in `text`.
    ///   - value: nil comes of one out of its range.
    package init?(_ name: String, _ value: Double) {
        let isShare = (0...100).contains(value)
        switch name {
        case "loss" where isShare: self = .loss(value)
        case "twice" where isShare: self = .twice(value)
        case "overtaken" where isShare: self = .overtaken(value)
        case "rate" where (1...10_000_000).contains(value): self = .rate(value)
        case "queue" where (0.1...10_000).contains(value): self = .queue(value)
        case "air" where (1...64).contains(value): self = .air(value.rounded(.down))
        case "fair" where value == 0 || value == 1: self = .fair(value)
        case "upload" where (1...10_000).contains(value): self = .upload(value)
        case "marked" where isShare: self = .marked(value)
        case "mtu" where (68...65_535).contains(value): self = .mtu(value)
        default: return nil
        }
    }

    /// As in the name of a profile.
    package var text: String {
        switch self {
        case .loss(let percent): "loss=\(percent.shortText)"
        case .twice(let percent): "twice=\(percent.shortText)"
        case .overtaken(let percent): "overtaken=\(percent.shortText)"
        case .rate(let kilobits): "rate=\(kilobits.shortText)"
        case .queue(let milliseconds): "queue=\(milliseconds.shortText)"
        case .air(let number): "air=\(number.shortText)"
        case .fair(let isFair): "fair=\(isFair.shortText)"
        case .upload(let milliseconds): "upload=\(milliseconds.shortText)"
        case .marked(let percent): "marked=\(percent.shortText)"
        case .mtu(let bytes): "mtu=\(bytes.shortText)"
        }
    }

    func apply(to profile: inout LinkProfile) {
        apply(to: &profile.uplink, isUplink: true)
        apply(to: &profile.downlink, isUplink: false)
    }

    private func apply(to direction: inout LinkDirection, isUplink: Bool) {
        switch self {
        case .loss(let percent): direction.loss = percent / 100
        case .twice(let percent): direction.duplication = percent / 100
        case .overtaken(let percent): direction.overtaking = percent / 100
        case .rate(let kilobits):
            direction.capacity = .init(bitsPerSecond: Int64(kilobits * 1_000), queueBytes: Self.queueBytes)
        case .queue(let milliseconds):
            guard let rate = direction.capacity?.bitsPerSecond else { break }
            direction.capacity?.queueBytes = Int64(Double(rate) / 8_000 * milliseconds)
        case .air(let number): direction.capacity?.air = Int(number)
        case .fair(let isFair): direction.capacity?.isFair = isFair == 1
        case .upload(let milliseconds): if isUplink { direction.crowd = Int64(milliseconds * 1e6) }
        case .marked(let percent): direction.markedLoss = percent / 100
        case .mtu(let bytes): direction.largestPacket = UInt32(bytes)
        }
    }
}
