import TuttiCommandLine
import TuttiSender
import TuttiSimulation

/// Runs of many seeds, each up to the first invariant that it breaks.
struct SimulateSeeds {
    let scenario: Scenario
    let seeds: ClosedRange<UInt64>
    let isJSON: Bool

    /// Runs them.
    ///
    /// - Returns: whether an invariant was broken in any.
    func run() -> Bool {
        var first: SimulateFailure?
        var broken = 0
        for seed in seeds {
            let script = Script(for: scenario, seed: seed)
            let failure = run(script)
            if let failure {
                broken += 1
                first = first ?? failure
            }
        }
        if !isJSON {
            Terminal.write("seeds: \(seeds.count), failed: \(broken)\n")
            first?.tell()
        }
        return broken > 0
    }

    private func run(_ script: Script) -> SimulateFailure? {
        var guards = Guards(scenario)
        var record = HouseRecord(scenario)
        var trace = Trace()
        var violation: Violation?
        for moment in Simulation<World>(scenario, script) {
            record.note(moment)
            _ = trace.note(moment)
            violation = guards.check(moment).first
            if violation != nil { break }
        }
        if isJSON {
            let report = HouseReport(
                seed: script.seed, duration: violation?.at ?? scenario.duration, rooms: record.figures,
                violations: violation.map { [$0] } ?? [])
            Terminal.write(json: report)
        } else {
            Terminal.write("seed \(script.seed): \(violation.map { "failed at \($0.time): \($0)" } ?? "ok")\n")
        }
        return violation.map {
            SimulateFailure(scenario: scenario, script: script, violation: $0, tail: trace.tail)
        }
    }
}
