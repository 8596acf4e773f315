import CALSA
import Glibc
import TuttiCore
import TuttiHost

/// Turns the time in a PCM's status into host time.
struct ALSAStamps {
    /// The clock that the driver stamps with.
    enum Kind: Sendable, Equatable {
        /// `CLOCK_MONOTONIC_RAW`: as host time.
        case raw
        /// Another clock of the kernel.
        case other(clockid_t)
    }

    /// How old a status may be when it is handed out, in ns.
    static let maximumAge: Int64 = 100_000_000

    let clock: HostClock
    let kind: Kind

    /// The host time of a status whose stamp is `stamp`, asked for between the raw times `before` and `after`; and whether
    /// the stamp was used. Plugins often leave it zero; then, and when it cannot be true, the middle of the question is
    /// the time.
    func hostTime(of stamp: timespec, before: Int64, after: Int64) -> (time: HostTime, isDriverStamp: Bool) {
        let middle = before + (after - before) / 2
        let reading = Int64(stamp.tv_sec) &* 1_000_000_000 &+ Int64(stamp.tv_nsec)
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
