/// Measures processes over the quiet middle of a song: after everything is loaded, before it ends.
final class LoadMeter {
    private let processes: [(name: String, process: ChildProcess)]
    private var first: [ProcessUsage?] = []
    private var last: [ProcessUsage?] = []

    init(processes: [(String, ChildProcess)]) {
        self.processes = processes.map { (name: $0.0, process: $0.1) }
    }

    /// Takes note of the usage when the song at `position` of `seconds` is in its middle.
    ///
    /// - Returns: whether it is.
    @discardableResult
    func observe(position: Double, of seconds: Double) -> Bool {
        guard position >= min(BenchRunner.settling, seconds / 3), position <= seconds - 2 else { return false }
        let usage = processes.map { ProcessUsage(process: $0.process.id) }
        if first.isEmpty { first = usage }
        last = usage
        return true
    }

    /// The loads from the first observation to the last.
    var loads: [ProcessLoad] {
        zip(processes, zip(first, last)).compactMap { entry, usage in
            guard let from = usage.0, let to = usage.1, to.time > from.time else { return nil }
            return ProcessLoad(name: entry.name, from: from, to: to)
        }
    }
}
