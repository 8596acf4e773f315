import Testing
import TuttiLab

@Suite("Packets on the wire")
struct WirePacketTests {
    private static let ends = (
        WirePacket.End(address: 0x0A4D_0001, port: 7700), WirePacket.End(address: 0x0A4D_0002, port: 40_123)
    )
    /// An Ethernet header for IPv4.
    private static let ethernet = [UInt8](repeating: 2, count: 12) + [0x08, 0x00]

    @Test("a datagram that is made is read again, also from a frame that is padded")
    func datagram() throws {
        let made = WirePacket(datagram: [1, 2, 3], from: Self.ends.0, to: Self.ends.1)
        let frame = Self.ethernet + made.rawDatagram
        #expect(frame.count == 14 + 20 + 8 + 3)
        #expect(WirePacket(frame: frame) == made)
        #expect(WirePacket(frame: frame + [UInt8](repeating: 0, count: 15)) == made)
    }

    @Test("a segment is read without its options")
    func segment() throws {
        var frame = Self.ethernet + WirePacket(datagram: [], from: Self.ends.0, to: Self.ends.1).rawDatagram
        frame[14 + 9] = WirePacket.Transport.tcp.rawValue
        // A header of 24 bytes, and two of payload.
        frame =
            Array(frame.prefix(14 + 24)) + [UInt8](repeating: 0, count: 8) + [6 << 4] + [UInt8](repeating: 0, count: 11)
        frame += [7, 8]
        frame[14 + 3] = UInt8(frame.count - 14)
        let read = try #require(WirePacket(frame: frame))
        #expect(read.transport == .tcp && read.source == Self.ends.0 && read.destination == Self.ends.1)
        #expect(read.payload == [7, 8])
    }

    @Test("what is cut short, or is something else, is nothing")
    func nonsense() {
        let frame = Self.ethernet + WirePacket(datagram: [1, 2, 3], from: Self.ends.0, to: Self.ends.1).rawDatagram
        for length in 0..<frame.count { #expect(WirePacket(frame: Array(frame.prefix(length))) == nil) }
        var other = frame
        other[14 + 9] = 1
        #expect(WirePacket(frame: other) == nil)
        other = frame
        other[12] = 0x86
        #expect(WirePacket(frame: other) == nil)
    }
}
