package import ArgumentParser

/// What `tutti simulate` is called with. The player, whose help and completion cover all commands, has it as
/// `tutti-simulate` does.
package struct SimulateOptions: ParsableArguments {
    /// The command's name and what its help says.
    package static let command = CommandConfiguration(
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
    package var house: String

    @Option(help: ArgumentHelp("What decides all that is left to chance. (default: the file's, or 1)", valueName: "n"))
    package var seed: UInt64?

    @Option(help: ArgumentHelp("Runs each of these seeds and says which fail.", valueName: "a-b"))
    package var seeds: String?

    @Option(help: ArgumentHelp("What happens, in place of what the house's file and the seed have.", valueName: "file"))
    package var script: String?

    @Option(help: ArgumentHelp("Writes all that happened and changed, a line each.", valueName: "file"))
    package var trace: String?

    @Option(help: ArgumentHelp("Draws how late each room was and what it held.", valueName: "file.svg"))
    package var plot: String?

    @Flag(help: "As one line of JSON for each seed; see docs/json.md.")
    package var json = false

    package init() {}

    package func validate() throws {
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

    /// The seeds of `--seeds`; nil without it.
    package func range() throws -> ClosedRange<UInt64>? {
        guard let seeds else { return nil }
        let ends = seeds.split(separator: "-").map { UInt64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else {
            throw ValidationError("--seeds \(seeds): give the first and the last, as 1-100")
        }
        return first...last
    }
}
