import CLinux
package import TuttiCore

/// One look at `CLOCK_REALTIME` beside this host's clock, and at what the kernel says of it (`adjtimex`).
package struct SystemClockReading: Sendable, Equatable {
    /// This host's clock.
    package var host: HostTime
    /// The system clock at that instant, in ns since 1970.
    package var system: Int64
    /// How far apart the two instants may lie, in ns.
    package var uncertainty: Int64
    /// Whether something disciplines it.
    package var isSynchronised: Bool
    /// The error that it cannot exceed, and the one that is to be expected, as whoever disciplines it has told the
    /// kernel, in µs.
    package var (maximumErrorUs, estimatedErrorUs): (Int, Int)

    /// A look of these parts.
    package init(
        host: HostTime, system: Int64, uncertainty: Int64, isSynchronised: Bool = true, maximumErrorUs: Int = 0,
        estimatedErrorUs: Int = 0
    ) {
        self.host = host
        self.system = system
        self.uncertainty = uncertainty
        self.isSynchronised = isSynchronised
        (self.maximumErrorUs, self.estimatedErrorUs) = (maximumErrorUs, estimatedErrorUs)
    }
}

extension HostClock {
    /// Looks at the system clock now.
    package func systemReading() -> SystemClockReading {
        let bridge = ClockBridge.measure()
        let kernel = tutti_read_clock_discipline()
        return SystemClockReading(
            host: hostTime(raw: bridge.measuredAt), system: bridge.measuredAt &- bridge.offset &+ (systemOffset ?? 0),
            uncertainty: bridge.uncertainty, isSynchronised: systemOffset != nil || kernel.is_synchronised != 0,
            maximumErrorUs: Int(kernel.maximum_error), estimatedErrorUs: Int(kernel.estimated_error))
    }
}
