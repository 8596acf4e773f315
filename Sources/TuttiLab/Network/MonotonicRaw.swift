import CLab
import Glibc

/// CLOCK_MONOTONIC_RAW, the clock of the cards' truth logs.
package enum MonotonicRaw {
    /// Nanoseconds now.
    package static func now() -> Int64 {
        clab_now(CLOCK_MONOTONIC_RAW)
    }
}
