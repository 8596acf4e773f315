/// What the switch reads of a frame.
package struct EthernetHeader {
    /// Bytes of the shortest frame that a switch handles: the two addresses and the type.
    package static let bytes: UInt32 = 14

    package let destination: UInt64
    package let source: UInt64
    /// A short datagram or message, such as an exchange of clock times: bulk data and bare acknowledgements are not.
    package let isPrecise: Bool

    /// - Parameter frame: at least `bytes` long.
    package init(_ frame: UnsafePointer<UInt8>, length: UInt32) {
        destination = Self.address(frame)
        source = Self.address(frame + 6)
        isPrecise = length <= 300 && !Self.isBareTCP(frame, length: length)
    }

    private static func address(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        var address: UInt64 = 0
        for index in 0..<6 { address = address << 8 | UInt64(bytes[index]) }
        return address
    }

    /// Whether the frame is a TCP segment over IPv4 without data, which bulk transfers send by the thousand.
    private static func isBareTCP(_ frame: UnsafePointer<UInt8>, length: UInt32) -> Bool {
        guard length >= 54, frame[12] == 0x08, frame[13] == 0x00, frame[23] == 6 else { return false }
        let ipHeader = Int(frame[14] & 0x0f) * 4
        let ipLength = Int(frame[16]) << 8 | Int(frame[17])
        guard 14 + ipHeader + 13 <= Int(length) else { return false }
        return ipLength <= ipHeader + Int(frame[14 + ipHeader + 12] >> 4) * 4
    }
}
