import ArgumentParser
import TuttiCommandLine
import TuttiHost

/// The program that `tutti simulate` becomes: the command line of `tutti` with that one command.
@main
struct SimulateProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti", version: ProgramVersion.current, subcommands: [Simulate.self])

    static func main() async {
        await runProgram([Simulate._commandName] + CommandLine.arguments.dropFirst())
    }
}
