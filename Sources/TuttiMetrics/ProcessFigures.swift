import FoundationEssentials
import Glibc

/// What a process takes of its host.
package struct ProcessFigures: Sendable, Equatable {
    /// Processor time, in seconds.
    package var processorSeconds: Double
    /// Resident memory, in bytes.
    package var residentBytes: Double
    /// Open files and sockets.
    package var openFiles: Int

    /// Those of this process; nil where `/proc` does not tell.
    package static var own: ProcessFigures? {
        var usage = rusage()
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0, pageSize > 0,
            let memory = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = memory.split(separator: " ").dropFirst().first.flatMap({ Double($0) }),
            let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        else { return nil }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return ProcessFigures(
            processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            residentBytes: pages * Double(pageSize), openFiles: files)
    }
}

extension MetricsText {
    /// Adds what the process takes that answers, under the names that all programs use.
    package mutating func add(_ process: ProcessFigures) {
        add(
            "process_cpu_seconds_total", .counter, process.processorSeconds,
            help: "Processor time that this program has taken.")
        add(
            "process_resident_memory_bytes", .gauge, process.residentBytes, help: "Resident memory of this program.")
        add("process_open_fds", .gauge, Double(process.openFiles), help: "Open files of this program.")
    }
}
