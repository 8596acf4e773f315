import ArgumentParser
import TuttiCommandLine
import TuttiControl

/// `tutti simulate` as help and completion have it; `tutti-simulate` runs it.
struct SimulateCommand: ParsableCommand {
    static let configuration = SimulateOptions.command

    @OptionGroup var options: SimulateOptions

    func run() throws {
        let place = CommandLine.arguments.firstIndex(of: SimulateCommand._commandName) ?? 0
        throw Failure(SiblingProgram.simulate.become(CommandLine.unsafeArgv + place))
    }
}
