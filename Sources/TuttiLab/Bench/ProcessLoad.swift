/// What a process used during a window of time.
package struct ProcessLoad: Sendable, Codable, Equatable {
    /// The program and its host.
    package var name: String
    /// Percent of one core.
    package var processorPercent: Double
    /// Megabytes (10⁶) resident at the window's end.
    package var residentMegabytes: Double
    /// Length of the window in seconds.
    package var seconds: Double

    package init(name: String, from first: ProcessUsage, to last: ProcessUsage) {
        self.name = name
        seconds = Double(last.time - first.time) / 1e9
        processorPercent = seconds > 0 ? 100 * (last.processorSeconds - first.processorSeconds) / seconds : 0
        residentMegabytes = Double(last.residentBytes) / 1e6
    }
}
