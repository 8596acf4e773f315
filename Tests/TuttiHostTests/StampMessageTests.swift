import Testing
import TuttiHost

/// Control messages as a kernel makes them, byte for byte.
struct StampMessageTests {
    /// A control message as it lies in memory on 64-bit hosts: length, level, type, payload, padding.
    private static func message(_ level: Int32, _ type: Int32, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: UInt64(16 + payload.count).littleEndian) { bytes += $0 }
        withUnsafeBytes(of: level.littleEndian) { bytes += $0 }
        withUnsafeBytes(of: type.littleEndian) { bytes += $0 }
        return bytes + payload + [UInt8](repeating: 0, count: (8 - payload.count % 8) % 8)
    }

    private static func words(_ values: [Int64]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    }

    /// `SOL_SOCKET`; `SCM_TIMESTAMPING` and `SCM_TIMESTAMPING_PKTINFO`.
    private static let (socket, stamps, interface): (Int32, Int32, Int32) = (1, 37, 58)

    private func read(_ bytes: [UInt8]) -> KernelStamp {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes { DatagramReader.told(by: $0).stamp }
    }

    @Test func readsAllThreeStampsAndTheInterface() {
        let times = Self.words([1_700_000_000, 5, 0, 0, 37, 999_999_999])
        let info: [UInt8] = [4, 0, 0, 0, 106, 0, 0, 0] + Array(repeating: 0, count: 8)
        let message = read(
            Self.message(Self.socket, Self.stamps, times) + Self.message(Self.socket, Self.interface, info))
        #expect(
            message
                == KernelStamp(realtime: 1_700_000_000_000_000_005, hardware: 37_999_999_999, interface: 4))
    }

    /// Bytes as a kernel lays out the message of a software stamp, with no other stamp in it.
    @Test func aSoftwareStampAloneHasNoHardware() {
        let times = Self.words([1_764_021_376, 123_456_789, 0, 0, 0, 0])
        let message = read(Self.message(Self.socket, Self.stamps, times))
        #expect(message == KernelStamp(realtime: 1_764_021_376_123_456_789))
    }

    @Test func aHardwareStampAloneHasNoSoftware() {
        let message = read(Self.message(Self.socket, Self.stamps, Self.words([0, 0, 0, 0, 9, 1])))
        #expect(message == KernelStamp(hardware: 9_000_000_001))
    }

    @Test func whatIsNoTimeIsNoStamp() {
        for time in [[-1, 0], [0, 1_000_000_000], [.max, 0], [5, -1], [.min, .min]] as [[Int64]] {
            #expect(read(Self.message(Self.socket, Self.stamps, Self.words(time + [0, 0] + time))) == KernelStamp())
        }
    }

    @Test func shortMessagesAreSkipped() {
        // One timespec (older kernels' SCM_TIMESTAMPNS), half a one, and an interface of two bytes.
        let one = Self.words([7, 1])
        #expect(read(Self.message(Self.socket, Self.stamps, one)) == KernelStamp(realtime: 7_000_000_001))
        #expect(read(Self.message(Self.socket, Self.stamps, Self.words([7]))) == KernelStamp())
        #expect(read(Self.message(Self.socket, Self.interface, [1, 0])) == KernelStamp())
        #expect(read([1, 2, 3]) == KernelStamp())
    }
}
