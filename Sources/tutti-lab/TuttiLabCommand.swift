import ArgumentParser
import TuttiHost

/// The developer's tool: the pieces of the laboratory that do not need the product itself. See `docs/lab.md`.
@main
struct TuttiLabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti-lab",
        abstract: "Measures Tutti: generates music, simulates bad networks, compares recordings.",
        version: ProgramVersion.current,
        subcommands: [
            ComposeCommand.self, CompareCommand.self, SwitchCommand.self, RunCommand.self, BenchCommand.self,
            ToneCommand.self, ContainersCommand.self, CrowdCommand.self,
        ])
}
