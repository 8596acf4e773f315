// `timespec` reaches this module through alsa-lib's headers or through Glibc, whichever the compiler reads first.
import CALSA
import Glibc
import TuttiHost

/// The time that a virtual card runs on.
package protocol RawTime: Sendable {
    /// `CLOCK_MONOTONIC_RAW` in ns, or what stands for it.
    func now() -> Int64
    /// Passes about `nanoseconds`.
    func pass(nanoseconds: Int64)
}

/// The kernel's clock.
struct SystemRawTime: RawTime {
    func now() -> Int64 { HostClock.rawNow() }

    func pass(nanoseconds: Int64) {
        guard nanoseconds > 0 else { return }
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        // An interrupted sleep only makes the caller look again.
        nanosleep(&time, nil)
    }
}
