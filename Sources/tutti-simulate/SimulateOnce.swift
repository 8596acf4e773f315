import TuttiCommandLine
import TuttiSender
import TuttiSimulation

/// One run, to its end, with its report.
struct SimulateOnce {
    let scenario: Scenario
    let script: Script
    let isJSON: Bool
    /// The file for the trace, if any.
    let trace: String?
    /// The file for the plot, if any.
    let plot: String?

    /// Runs it.
    ///
    /// - Returns: whether an invariant was broken.
    func run() throws -> Bool {
        let house = scenario.restricted(to: script)
        var record = HouseRecord(house)
        var picture = HousePlot(house)
        var guards = Guards(house)
        var lines = Trace()
        var tail: [String]?
        var violations: [Violation] = []
        let file = try trace.map { try SimulateFile($0) }
        var progress = SimulateProgress(duration: house.duration, isShown: !isJSON)
        for moment in Simulation<World>(scenario, script) {
            record.note(moment)
            if plot != nil { picture.note(moment) }
            try file?.write(lines.note(moment))
            for violation in guards.check(moment) where !violations.contains(where: violation.isLike) {
                violations.append(violation)
                try file?.write([lines.note(violation)])
                if tail == nil { tail = lines.tail }
            }
            progress.show(moment.observation.at)
        }
        progress.end()
        if let plot { try SimulateFile(plot).write([picture.picture]) }
        let report = HouseReport(
            seed: script.seed, duration: house.duration, rooms: record.figures, violations: violations)
        Self.show(report, isJSON: isJSON)
        if let violation = violations.first, let tail, !isJSON {
            SimulateFailure(scenario: scenario, script: script, violation: violation, tail: tail).tell()
        }
        return !violations.isEmpty
    }

    private static func show(_ report: HouseReport, isJSON: Bool) {
        if isJSON {
            Terminal.write(json: report)
        } else {
            Terminal.write(report.lines.map { $0 + "\n" }.joined())
        }
    }
}
