import CALSA
package import TuttiCore
package import TuttiHost

/// Turns the time in a PCM's status into host time.
package struct ALSAStamps {
    /// The clock that the driver stamps with.
    package enum Kind: Sendable, Equatable {
        /// `CLOCK_MONOTONIC_RAW`: as host time.
        case raw
        /// Another clock of the kernel, by its number.
        case other(Int32)
    }

    /// How old a status may be when it is handed out, in ns.
    static let maximumAge: Int64 = 100_000_000

    let clock: HostClock
    let kind: Kind

    /// Converts stamps of the clock `kind`.
    package init(clock: HostClock, kind: Kind) {
        self.clock = clock
        self.kind = kind
    }

    /// The host time of a status whose stamp is `reading` (ns), asked for between the raw times `before` and `after`;
    /// and whether the stamp was used. Plugins often leave it zero; then, and when it cannot be true, the middle of the
    /// question is the time.
    package func hostTime(of reading: Int64, before: Int64, after: Int64) -> (time: HostTime, isDriverStamp: Bool) {
        let middle = before + (after - before) / 2
        guard reading > 0 else { return (clock.hostTime(raw: middle), false) }
        let raw =
            switch kind {
            case .raw: reading
            case .other(let id): ClockBridge.measure(id).raw(reading)
            }
        guard raw >= before - Self.maximumAge, raw <= after + 5000 else { return (clock.hostTime(raw: middle), false) }
        return (clock.hostTime(raw: raw), true)
    }
}
