import Glibc

/// The line from another clock of the kernel to `CLOCK_MONOTONIC_RAW` at one moment, measured by reading raw, other,
/// raw.
///
/// Good for stamps taken about when it was measured: the other clock may be slewed by up to 500 ppm, which is 0.5 ns
/// for each microsecond of a stamp's age.
package struct ClockBridge: Sendable, Equatable {
    /// Raw time of the measurement, in ns.
    package let measuredAt: Int64
    /// Raw minus other, in ns.
    package let offset: Int64
    /// Half the time that the readings took, in ns: the true offset is not further away than this.
    package let uncertainty: Int64

    /// A bridge from readings made elsewhere.
    package init(measuredAt: Int64, offset: Int64, uncertainty: Int64) {
        self.measuredAt = measuredAt
        self.offset = offset
        self.uncertainty = uncertainty
    }

    /// The number of `CLOCK_REALTIME`, which the kernel stamps datagrams with.
    package static let realtime = Int32(CLOCK_REALTIME)

    /// Measures `clock` (a number of the kernel's) against the raw clock: the tightest of `attempts` sandwiches.
    package static func measure(_ clock: Int32 = realtime, attempts: Int = 5) -> ClockBridge {
        var best = sandwich(clock)
        for _ in 1..<max(attempts, 1) {
            let candidate = sandwich(clock)
            if candidate.uncertainty < best.uncertainty { best = candidate }
        }
        return best
    }

    private static func sandwich(_ clock: Int32) -> ClockBridge {
        let before = HostClock.rawNow()
        let other = HostClock.read(clock)
        let after = HostClock.rawNow()
        let width = after &- before
        let middle = before &+ width / 2
        return ClockBridge(measuredAt: after, offset: middle &- other, uncertainty: (width + 1) / 2)
    }

    /// The raw time of a reading of the other clock, both in ns.
    package func raw(_ reading: Int64) -> Int64 { reading &+ offset }

    /// Whether the other clock ran on without a step since `earlier`: it moved by no more than slewing explains
    /// (1000 ppm) and the measurements are uncertain by.
    package func isContinuous(with earlier: ClockBridge) -> Bool {
        let elapsed = max(measuredAt &- earlier.measuredAt, 0)
        let allowed = elapsed / 1000 + uncertainty + earlier.uncertainty + 1000
        return (offset &- earlier.offset).magnitude <= UInt64(allowed)
    }
}
