package import ArgumentParser

/// What `tutti simulate` is called with. The player, whose help and completion cover all commands, has it as
/// `tutti-simulate` does.
package struct SimulateOptions: ParsableArguments {
    /// The command's name and what its help says.
    package static let command = CommandConfiguration(
        commandName: "simulate", abstract: "Predicts sync and dropouts for your network and sound cards.",
        discussion: """
            HOUSE is a YAML file. It describes rooms with their links, cards and clocks, what plays, and what goes \
            wrong. docs/simulation.md explains its keys, and docs/examples/house.yaml is an example. The simulation \
            runs the real sender and speakers in virtual time. The same seed always gives the same run.

            For each room, the report shows how far the sound was from where it should be, how often it dropped out, \
            how much audio was buffered, and how long the room took to be in sync again after a fault. During the \
            run, the simulator checks rules that must always hold. If one is broken, it prints the end of the trace, \
            and writes a short script with the same fault to a file for --script.

            EXAMPLES
              tutti simulate house.yaml
              tutti simulate house.yaml --plot house.svg --trace house.txt
              tutti simulate house.yaml --seeds 1-100
              tutti simulate house.yaml --script simulate-7.script

            EXIT STATUS
              0 done   1 a rule was broken   2 wrong usage, or an error in a file
            """)

    @Argument(help: ArgumentHelp("The site to simulate, a YAML file.", valueName: "house"))
    package var house: String

    @Option(help: ArgumentHelp("The seed of the random numbers. (default: the file's, or 1)", valueName: "n"))
    package var seed: UInt64?

    @Option(help: ArgumentHelp("Run each of these seeds, and report which of them fail.", valueName: "a-b"))
    package var seeds: String?

    @Option(
        help: ArgumentHelp("A script of events, instead of those of the YAML file and the seed.", valueName: "file"))
    package var script: String?

    @Option(help: ArgumentHelp("Write every event and every change to this file, one on a line.", valueName: "file"))
    package var trace: String?

    @Option(help: ArgumentHelp("Write a plot of each room's sync and buffer to this file.", valueName: "file.svg"))
    package var plot: String?

    @Flag(help: "Print one line of JSON for each seed; see docs/json.md.")
    package var json = false

    package init() {}

    package func validate() throws {
        guard seeds == nil else {
            guard seed == nil, script == nil, trace == nil, plot == nil else {
                throw ValidationError("--seeds cannot be used with --seed, --script, --trace or --plot")
            }
            _ = try range()
            return
        }
        if seed != nil, script != nil {
            throw ValidationError("--seed cannot be used with --script, because a script has its own seed")
        }
    }

    /// The seeds of `--seeds`; nil without it.
    package func range() throws -> ClosedRange<UInt64>? {
        guard let seeds else { return nil }
        let ends = seeds.split(separator: "-").map { UInt64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else {
            throw ValidationError("--seeds \(seeds): not a range; use FIRST-LAST, such as 1-100")
        }
        return first...last
    }
}
