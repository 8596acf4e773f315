import ArgumentParser
import Glibc
import TuttiCommandLine
import TuttiHost
import TuttiSimulation

/// `tutti simulate`.
struct Simulate: ParsableCommand {
    static let configuration = SimulateOptions.command

    @OptionGroup var options: SimulateOptions

    func run() throws {
        let isBroken: Bool
        do {
            var scenario = try Scenario(yaml: try Self.text(of: options.house), file: options.house)
            if let seed = options.seed { scenario.seed = seed }
            if let seeds = try options.range() {
                isBroken = SimulateSeeds(scenario: scenario, seeds: seeds, isJSON: options.json).run()
            } else {
                let run = SimulateOnce(
                    scenario: scenario, script: try plan(for: scenario), isJSON: options.json, trace: options.trace,
                    plot: options.plot)
                isBroken = try run.run()
            }
        } catch let error as SimulationError {
            throw Failure(error.description, exitCode: 2)
        }
        if isBroken { throw ExitCode(1) }
    }

    private func plan(for scenario: Scenario) throws -> Script {
        guard let script = options.script else { return Script(for: scenario, seed: scenario.seed) }
        return try Script(try Self.text(of: script), file: script, scenario: scenario)
    }

    private static func text(of file: String) throws -> String {
        let content: [UInt8]?
        do {
            content = try AtomicFile.read(file)
        } catch HostError.file(_, _, let code) {
            throw SimulationError.unreadable(file: file, HostError.text(ofErrno: code))
        } catch {
            throw SimulationError.unreadable(file: file, "\(error)")
        }
        guard let content else { throw SimulationError.unreadable(file: file, HostError.text(ofErrno: ENOENT)) }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw SimulationError.unreadable(file: file, "it is not a text file")
        }
        return text
    }
}
