import Glibc
import TuttiLab

/// Sends what it has overheard of the clock with something wrong about it, under the address of whoever has sent it, to
/// whom it was sent. To be used on a host of the lab; it needs raw sockets.
struct DatagramForger {
    /// How many of each were sent.
    struct Figures: Sendable {
        /// Without a signature, and with another time.
        var unsigned = 0
        /// Signed, and with another time, or any bit of it turned.
        var changed = 0
        /// As it was.
        var repeated = 0
        /// To whoever has sent it, as if the other side had.
        var reflected = 0

        var all: [Int] { [unsigned, changed, repeated, reflected] }
    }

    /// Bytes of a datagram, and of one with its signature.
    private static let (plain, signed) = (64, 84)
    /// Where a reply has the group's time, and by how much a forged one is off: 2²³ ns are 8 ms.
    private static let (timeByte, shift) = (37, UInt8(0x80))

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Forges what was overheard last, again and again.
    func send(from capture: WireCapture, seconds: Double) throws(LabError) -> Figures {
        var copy = self
        return try copy.run(capture, seconds: seconds)
    }

    private mutating func run(_ capture: WireCapture, seconds: Double) throws(LabError) -> Figures {
        let descriptor = socket(AF_INET, Int32(SOCK_RAW.rawValue), Int32(IPPROTO_RAW))
        guard descriptor >= 0 else { throw .system(call: "raw socket", errno: errno) }
        defer { close(descriptor) }
        var figures = Figures()
        let end = MonotonicRaw.now() + Int64(seconds * 1e9)
        while MonotonicRaw.now() < end {
            for packet in capture.datagrams(ofLast: 300).suffix(8) where packet.payload.count == Self.signed {
                forge(packet, descriptor, &figures)
            }
            usleep(20_000)
        }
        return figures
    }

    private mutating func forge(_ packet: WirePacket, _ descriptor: Int32, _ figures: inout Figures) {
        func send(_ payload: [UInt8], reversed: Bool = false) -> Int {
            let (source, destination) =
                reversed ? (packet.destination, packet.source) : (packet.source, packet.destination)
            let forged = WirePacket(datagram: payload, from: source, to: destination)
            return Self.send(forged, descriptor) ? 1 : 0
        }
        var shifted = packet.payload
        shifted[Self.timeByte] ^= Self.shift
        var turned = packet.payload
        turned[Int(next() % UInt64(turned.count))] ^= 1 << UInt8(next() % 8)
        figures.unsigned += send(Array(shifted.prefix(Self.plain)))
        figures.changed += send(shifted) + send(turned)
        figures.repeated += send(packet.payload)
        figures.reflected += send(packet.payload, reversed: true)
    }

    private static func send(_ packet: WirePacket, _ descriptor: Int32) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = packet.destination.address.bigEndian
        let bytes = packet.rawDatagram
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        } == bytes.count
    }

    private mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
