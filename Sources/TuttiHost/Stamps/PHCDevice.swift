import CLinux
import Glibc

/// An open `/dev/ptpN`: a network interface's PTP clock, to be read beside the raw clock.
final class PHCDevice: Sendable {
    /// How a driver lets its clock be compared with the host's, the closest first.
    private enum Method: CaseIterable {
        /// The hardware latches both clocks.
        case precise
        /// The raw clock is read just before and after the register.
        case extendedRaw
        /// So is the real-time clock.
        case extendedRealtime
        /// The real-time clock is read around the driver's call.
        case plain
    }

    /// Readings at once, of which the tightest counts.
    private static let attempts: UInt32 = 5
    /// What a comparison by the hardware itself may be off by, ns.
    private static let preciseUncertainty: Int64 = 50

    private let descriptor: Int32
    private let method: Method

    /// The clock with the number `index`; nil when this process may not read it, or it is none.
    init?(index: Int32) {
        let descriptor = open("/dev/ptp\(index)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let method = Method.allCases.first(where: { Self.read(descriptor, by: $0) != nil }) else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.method = method
    }

    deinit { close(descriptor) }

    /// A comparison of both clocks now; nil when the clock is gone.
    func read() -> ClockReading? { Self.read(descriptor, by: method) }

    private static func read(_ descriptor: Int32, by method: Method) -> ClockReading? {
        switch method {
        case .precise:
            var (hardware, raw): (Int64, Int64) = (0, 0)
            guard tutti_ptp_precise(descriptor, &hardware, &raw) == 0 else { return nil }
            return ClockReading(raw: raw, other: hardware, uncertainty: preciseUncertainty)
        case .extendedRaw:
            return tightest { tutti_ptp_extended(descriptor, UInt32(CLOCK_MONOTONIC_RAW), $0, attempts) }
        case .extendedRealtime: return bridged { tutti_ptp_extended(descriptor, 0, $0, attempts) }
        case .plain: return bridged { tutti_ptp_plain(descriptor, $0, attempts) }
        }
    }

    /// A reading against the real-time clock, which is compared with the raw one just after.
    private static func bridged(
        _ request: (UnsafeMutablePointer<tutti_clock_sandwich>) -> Int32
    ) -> ClockReading? {
        guard var reading = tightest(request) else { return nil }
        let bridge = ClockBridge.measure()
        reading.raw = bridge.raw(reading.raw)
        reading.uncertainty += bridge.uncertainty
        return reading
    }

    private static func tightest(
        _ request: (UnsafeMutablePointer<tutti_clock_sandwich>) -> Int32
    ) -> ClockReading? {
        withUnsafeTemporaryAllocation(of: tutti_clock_sandwich.self, capacity: Int(attempts)) { buffer in
            buffer.initialize(repeating: tutti_clock_sandwich())
            guard let start = buffer.baseAddress, request(start) == 0 else { return nil }
            return ClockReading(tightestOf: buffer.map { ($0.before, $0.hardware, $0.after) })
        }
    }
}
