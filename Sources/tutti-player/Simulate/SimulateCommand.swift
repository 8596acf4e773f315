import ArgumentParser
import Foundation
import TuttiSender
import TuttiSimulation

/// `tutti simulate`.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Predicts sync and dropouts for your network and sound cards.",
        discussion: """
            HOUSE is a YAML file: rooms with their links, cards and clocks, what plays, and what goes wrong; docs/simulation.md \
            explains its keys, and docs/examples/house.yaml is one. The house runs in virtual time, with the real sender and \
            speakers, on a network, with cards and with clocks that a seed decides: the same seed gives the same run.

            For each room it tells how far the sound was from where it should be, how often it broke off, how much was held ahead, \
            and how long the room took to be in step again after a fault. While it runs it checks that what should always hold \
            does hold; where it does not, the end of the trace is printed, and a short script with the same fault is written to \
            a file that --script takes.

            EXAMPLES
              tutti simulate house.yaml
              tutti simulate house.yaml --plot house.svg --trace house.txt
              tutti simulate house.yaml --seeds 1-100
              tutti simulate house.yaml --script simulate-7.script

            EXIT STATUS
              0 done   1 something that should always hold did not   2 wrong usage, or a file that is wrong
            """)

    @Argument(help: ArgumentHelp("The house, a YAML file.", valueName: "house"))
    var house: String

    @Option(help: ArgumentHelp("What decides all that is left to chance. (default: the file's, or 1)", valueName: "n"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("Runs each of these seeds and says which fail.", valueName: "a-b"))
    var seeds: String?

    @Option(help: ArgumentHelp("What happens, in place of what the house's file and the seed have.", valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("Writes all that happened and changed, a line each.", valueName: "file"))
    var trace: String?

    @Option(help: ArgumentHelp("Draws how late each room was and what it held.", valueName: "file.svg"))
    var plot: String?

    @Flag(help: "As one line of JSON for each seed; see docs/json.md.")
    var json = false

    func validate() throws {
        guard seeds == nil else {
            guard seed == nil, script == nil, trace == nil, plot == nil else {
                throw ValidationError("--seeds goes with none of --seed, --script, --trace and --plot")
            }
            _ = try range()
            return
        }
        if seed != nil, script != nil {
            throw ValidationError("a script has its own seed: --seed and --script exclude each other")
        }
    }

    func run() throws {
        let isBroken: Bool
        do {
            var scenario = try Scenario(yaml: try Self.text(of: house), file: house)
            if let seed { scenario.seed = seed }
            if let seeds = try range() {
                isBroken = SimulateSeeds(scenario: scenario, seeds: seeds, isJSON: json).run()
            } else {
                let run = SimulateOnce(
                    scenario: scenario, script: try plan(for: scenario), isJSON: json, trace: trace, plot: plot)
                isBroken = try run.run()
            }
        } catch let error as SimulationError {
            throw Failure(error.description, exitCode: 2)
        }
        if isBroken { throw ExitCode(1) }
    }

    private func plan(for scenario: Scenario) throws -> Script {
        guard let script else { return Script(for: scenario, seed: scenario.seed) }
        return try Script(try Self.text(of: script), file: script, scenario: scenario)
    }

    /// The seeds of `--seeds`; nil without it.
    private func range() throws -> ClosedRange<UInt64>? {
        guard let seeds else { return nil }
        let ends = seeds.split(separator: "-").map { UInt64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else {
            throw ValidationError("--seeds \(seeds): give the first and the last, as 1-100")
        }
        return first...last
    }

    private static func text(of file: String) throws -> String {
        do {
            return try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw SimulationError.unreadable(file: file, (error as NSError).localizedFailureReason ?? "it is no text")
        }
    }
}
