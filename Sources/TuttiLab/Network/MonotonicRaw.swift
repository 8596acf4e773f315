import Glibc

/// CLOCK_MONOTONIC_RAW, the clock of the cards' truth logs.
package enum MonotonicRaw {
    /// Nanoseconds now.
    package static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
