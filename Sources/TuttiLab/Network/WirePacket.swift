/// What an IPv4 frame carries between two sockets.
package struct WirePacket: Sendable, Equatable {
    /// One end.
    package struct End: Sendable, Hashable {
        /// IPv4, the first number in the highest byte.
        package var address: UInt32
        package var port: UInt16

        package init(address: UInt32, port: UInt16) { (self.address, self.port) = (address, port) }
    }

    package enum Transport: UInt8, Sendable {
        case tcp = 6
        case udp = 17
    }

    package var transport: Transport
    package var source: End
    package var destination: End
    package var payload: [UInt8]

    /// Reads it off an Ethernet frame; nil for anything that is neither TCP nor UDP over IPv4, whole.
    package init?(frame: [UInt8]) {
        guard frame.count >= 34, frame[12] == 0x08, frame[13] == 0x00 else { return nil }
        let packet = Array(frame[14...])
        let (header, total) = (Int(packet[0] & 0x0F) * 4, Int(Self.number(packet, 2, count: 2)))
        guard let transport = Transport(rawValue: packet[9]), header >= 20, total <= packet.count,
            total >= header + 20 || transport == .udp && total >= header + 8
        else { return nil }
        let begin = header + (transport == .udp ? 8 : Int(packet[header + 12] >> 4) * 4)
        guard begin <= total else { return nil }
        self.transport = transport
        source = End(
            address: Self.number(packet, 12, count: 4), port: UInt16(Self.number(packet, header, count: 2)))
        destination = End(
            address: Self.number(packet, 16, count: 4), port: UInt16(Self.number(packet, header + 2, count: 2)))
        payload = Array(packet[begin..<total])
    }

    /// A datagram of one's own making.
    package init(datagram payload: [UInt8], from source: End, to destination: End) {
        transport = .udp
        (self.source, self.destination, self.payload) = (source, destination, payload)
    }

    /// The IPv4 packet of a datagram, for a raw socket, which fills in the checksum of its header. The datagram has
    /// none.
    package var rawDatagram: [UInt8] {
        let length = UInt16(8 + payload.count)
        var bytes: [UInt8] = [0x45, 0]
        Self.append(UInt32(20 + length), count: 2, to: &bytes)
        bytes += [0, 0, 0, 0, 64, Transport.udp.rawValue, 0, 0]
        for end in [source, destination] { Self.append(end.address, count: 4, to: &bytes) }
        for port in [source.port, destination.port, length, 0] { Self.append(UInt32(port), count: 2, to: &bytes) }
        return bytes + payload
    }

    private static func number(_ bytes: [UInt8], _ at: Int, count: Int) -> UInt32 {
        bytes[at..<at + count].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func append(_ number: UInt32, count: Int, to bytes: inout [UInt8]) {
        for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * index))) }
    }
}
