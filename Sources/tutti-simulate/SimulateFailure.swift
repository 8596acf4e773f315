import TuttiCommandLine
import TuttiSimulation

/// The report of a run that broke an invariant: how it happened, and a short script that reproduces it.
struct SimulateFailure {
    /// How long to look for a shorter script.
    private static let patience = Duration.seconds(60)

    let scenario: Scenario
    let script: Script
    let violation: Violation
    let tail: [String]

    /// Prints the end of the trace, looks for a short script, and writes it to a file.
    func tell() {
        Terminal.write("\nthe end of the trace, seed \(script.seed):\n")
        Terminal.write(tail.map { "  \($0)\n" }.joined())
        Terminal.writeError("looking for a shorter script with the same fault, for \(Self.patience) at most …\n")
        let small = shrunk
        let path = "simulate-\(script.seed).script"
        Terminal.write("\na short script with the same fault:\n")
        Terminal.write(small.description.split(separator: "\n").map { "  \($0)\n" }.joined())
        do {
            try SimulateFile(path).write([small.description])
            Terminal.write("saved to \(path); to run it, use --script\n")
        } catch {
            Terminal.error("\(error)")
        }
    }

    private var shrunk: Script {
        let start = ContinuousClock.now
        let shrinker = Shrinker(scenario) {
            ContinuousClock.now - start > Self.patience
        } failure: { script in
            var guards = Guards(scenario.restricted(to: script))
            for moment in Simulation<World>(scenario, script) {
                if let found = guards.check(moment).first {
                    return found.invariant == violation.invariant ? found.at : nil
                }
            }
            return nil
        }
        return shrinker.shrink(script, failedAt: violation.at)
    }
}
