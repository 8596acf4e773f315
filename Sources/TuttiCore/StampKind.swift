/// Who read the clock when a datagram left or arrived, the least exact first. A better kind comes closer to the instant
/// on the wire.
package enum StampKind: String, Sendable, Comparable, CaseIterable {
    /// This process, around its system call.
    case user
    /// The kernel, beside the driver (`SOF_TIMESTAMPING_*_SOFTWARE`).
    case kernel
    /// The network interface, with its own PTP clock (`SOF_TIMESTAMPING_*_HARDWARE`).
    case hardware

    private var rank: Int {
        switch self {
        case .user: 0
        case .kernel: 1
        case .hardware: 2
        }
    }

    package static func < (one: StampKind, other: StampKind) -> Bool { one.rank < other.rank }
}
