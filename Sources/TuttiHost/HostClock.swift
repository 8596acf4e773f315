import CLinux
import Glibc
package import TuttiCore

/// This host's clock: `CLOCK_MONOTONIC_RAW`, which nobody slews or steps, in nanoseconds.
///
/// `TUTTI_TEST_CLOCK` warps it for tests; every time that passes through this type is warped alike, kernel and card
/// stamps included.
package struct HostClock: Sendable {
    private let warp: TestClock?
    /// What is read instead of the system's clock; nil on a real host.
    private var reading: (@Sendable () -> Int64)?
    /// For how long such a host has slept, nanoseconds.
    private var sleeping: @Sendable () -> Int64 = { 0 }
    /// Names the run of the host whose times these are, the same for each of its processes; nil where they need not
    /// agree.
    package private(set) var boot: String?
    /// Whether datagrams that are stamped by this clock take the stamps of network interfaces.
    package var hardwareStamps = HardwareStampUse.auto
    /// Whether something disciplines this host's system clock, so that group clocks may be taken from that.
    package var usesSystemClock = false
    /// What a test lays over the system clock.
    var systemOffset: Int64? { warp?.system }

    /// The clock that `environment` asks for.
    ///
    /// - Throws: `HostError.invalidTestClock` when `TUTTI_TEST_CLOCK` is there and makes no sense.
    package static func system(environment: [String: String]) throws(HostError) -> HostClock {
        guard let text = environment["TUTTI_TEST_CLOCK"], !text.isEmpty else { return HostClock(warp: nil) }
        guard let warp = TestClock(parsing: text, origin: rawNow()) else { throw .invalidTestClock(text) }
        return HostClock(warp: warp)
    }

    private init(warp: TestClock?) {
        self.warp = warp
        boot = warp?.isOfProcess == true ? nil : Self.systemBoot
    }

    private static let systemBoot = (try? AtomicFile.read("/proc/sys/kernel/random/boot_id")).flatMap { bytes in
        bytes.map { String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self) }
    }

    /// The clock without any warp.
    package init() { self.init(warp: nil) }

    /// The clock of a host that is no more than simulated; `reading` gives its nanoseconds, `sleeping` those that it
    /// has not counted.
    package init(
        reading: @escaping @Sendable () -> Int64, sleeping: @escaping @Sendable () -> Int64 = { 0 },
        boot: String? = nil
    ) {
        self.init(warp: nil)
        self.reading = reading
        self.sleeping = sleeping
        self.boot = boot
    }

    /// The time now.
    package func now() -> HostTime {
        guard let reading else { return hostTime(raw: Self.rawNow()) }
        return HostTime(nanoseconds: reading())
    }

    /// `CLOCK_MONOTONIC_RAW` now, in ns, unwarped: what truth logs are written in.
    package static func rawNow() -> Int64 { read(CLOCK_MONOTONIC_RAW) }

    /// A clock of the kernel now, in ns; 0 for a clock that it lacks.
    static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// For how long this host has slept, in ns: time that its clock has not counted. Between two bounds, for the clocks
    /// that tell are read one after the other.
    package func slept() -> ClosedRange<Int64> {
        guard reading == nil else { return sleeping()...sleeping() }
        let extra = warp?.slept(at: Self.rawNow()) ?? 0
        let before = Self.read(CLOCK_MONOTONIC)
        let whole = Self.read(CLOCK_BOOTTIME)
        let after = Self.read(CLOCK_MONOTONIC)
        return min(whole &- after, whole &- before) &+ extra...(whole &- before) &+ extra
    }

    /// The host time of a `CLOCK_MONOTONIC_RAW` reading in ns (of an ALSA stamp, for instance).
    package func hostTime(raw nanoseconds: Int64) -> HostTime {
        HostTime(nanoseconds: warp?.warped(nanoseconds) ?? nanoseconds)
    }

    /// The host time of a `CLOCK_REALTIME` reading in ns (a kernel network stamp), by a `bridge` that was measured
    /// about then.
    package func hostTime(realtime nanoseconds: Int64, bridge: ClockBridge) -> HostTime {
        hostTime(raw: bridge.raw(nanoseconds))
    }

    /// Real nanoseconds to wait from now until `time`; 0 when it has passed.
    package func sleepInterval(until time: HostTime) -> Int64 {
        let raw = Self.rawNow()
        let remaining = time.nanoseconds(since: hostTime(raw: raw))
        guard remaining > 0 else { return 0 }
        guard let warp else { return remaining }
        let real = Double(remaining) / warp.rate(at: raw)
        return real < 9e18 ? Int64(real.rounded(.up)) : .max
    }
}
