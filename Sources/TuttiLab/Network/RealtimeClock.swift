import CLab
import Glibc

/// This machine's CLOCK_REALTIME, which namespaces share with everybody else.
package enum RealtimeClock {
    /// Sets it forwards or backwards.
    package static func step(milliseconds: Int) throws(LabError) {
        let outcome = clab_step_realtime(Int64(milliseconds) * 1_000_000)
        guard outcome == 0 else { throw .system(call: "clock_settime", errno: -outcome) }
    }
}
