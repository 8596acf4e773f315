import Foundation
import Glibc

/// What a process has used so far, as `/proc` tells.
package struct ProcessUsage: Sendable, Equatable {
    /// Seconds of processor time, of all its threads.
    package var processorSeconds: Double
    /// Bytes of memory that are resident.
    package var residentBytes: Int
    /// Bytes of these that belong to no file: what the process keeps there, not the code that it runs.
    package var anonymousBytes: Int
    /// When it was read, nanoseconds of CLOCK_MONOTONIC_RAW.
    package var time: Int64

    /// Reads a process's usage; nil when it is gone.
    package init?(process: Int32) {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let statm = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return nil }
        // The fields after the name: 3 is the state, 14 and 15 are user and system time in ticks.
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        let pages = statm.split(separator: " ")
        guard fields.count > 12, pages.count > 2, let user = Double(fields[11]), let system = Double(fields[12]),
            let resident = Int(pages[1]), let ofFiles = Int(pages[2])
        else { return nil }
        processorSeconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        residentBytes = resident * pageSize
        anonymousBytes = (resident - ofFiles) * pageSize
        time = MonotonicRaw.now()
    }
}
