/// Something that a link does wrong besides what its profile says, in both directions.
package enum LinkFault: Sendable, Equatable {
    /// Percent of the frames that are lost.
    case loss(Double)
    /// Percent of the frames that come twice, the second time up to 3 ms later.
    case twice(Double)
    /// Percent of the frames that are held back by up to 3 ms, so that others overtake them.
    case overtaken(Double)
    /// Kilobits that pass in a second; a queue of 64 KiB is in front.
    case rate(Double)
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
        case .mtu(let bytes): "mtu=\(bytes.shortText)"
        }
    }

    func apply(to direction: inout LinkDirection) {
        switch self {
        case .loss(let percent): direction.loss = percent / 100
        case .twice(let percent): direction.duplication = percent / 100
        case .overtaken(let percent): direction.overtaking = percent / 100
        case .rate(let kilobits):
            direction.capacity = .init(bitsPerSecond: Int64(kilobits * 1_000), queueBytes: Self.queueBytes)
        case .mtu(let bytes): direction.largestPacket = UInt32(bytes)
        }
    }
}
