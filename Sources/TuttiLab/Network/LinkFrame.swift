/// What a link sees of a frame.
package struct LinkFrame: Sendable, Equatable {
    /// Of its packet, without the Ethernet header.
    package var bytes: UInt32
    /// What it belongs to: frames between the same two sockets have the same.
    package var flow: UInt64
    /// Whether it has a class of service (DSCP).
    package var isMarked: Bool

    package init(bytes: UInt32 = 0, flow: UInt64 = 0, isMarked: Bool = false) {
        self.bytes = bytes
        self.flow = flow
        self.isMarked = isMarked
    }
}

extension LinkFrame {
    private static let (ipv4, ipv6): (UInt16, UInt16) = (0x0800, 0x86DD)

    /// Reads it off a frame of at least `EthernetHeader.bytes` bytes. What is neither IPv4 nor IPv6 is one flow.
    package init(_ frame: UnsafePointer<UInt8>, length: UInt32) {
        self.init(bytes: length - EthernetHeader.bytes)
        let count = Int(length)
        switch UInt16(frame[12]) << 8 | UInt16(frame[13]) {
        case Self.ipv4 where count >= 34:
            isMarked = frame[15] >> 2 != 0
            let ports = 14 + Int(frame[14] & 0x0F) * 4
            flow = Self.hash(frame, [23..<24, 26..<34, ports..<min(ports + 4, max(ports, count))])
        case Self.ipv6 where count >= 54:
            isMarked = (UInt16(frame[14]) << 8 | UInt16(frame[15])) >> 6 & 0x3F != 0
            flow = Self.hash(frame, [20..<21, 22..<54, 54..<min(58, count)])
        default: break
        }
    }

    /// FNV-1a.
    private static func hash(_ frame: UnsafePointer<UInt8>, _ parts: [Range<Int>]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for index in part { hash = (hash ^ UInt64(frame[index])) &* 0x100_0000_01B3 }
        }
        return hash
    }
}
