import ArgumentParser
import Foundation
import TuttiLab

/// `tutti-lab bench`: the lab's measurements, Snapcast's beside them.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure Tutti in the lab, and Snapcast beside it.",
        discussion: """
            Plays the lab's piece through the programs themselves into virtual cards, over links with delays, and compares what \
            left the cards. Prints a table and writes bench.json with all that was found. Cases:
            \(BenchCase.all.map { "  \($0.name): \($0.title)" }.joined(separator: "\n"))
            """)

    @OptionGroup var options: LabOptions

    @Option(help: "The cases, separated by commas (default: all).")
    var cases = BenchCase.all.map(\.name).joined(separator: ",")

    @Option(help: "Another seed than the cases' own.")
    var seed: UInt64?

    @Option(help: "Another length of the song than the cases' own, seconds.")
    var seconds: Double?

    @Flag(help: "Run Snapcast too.")
    var snapcast = false

    @Flag(help: "Run Snapcast only.")
    var snapcastOnly = false

    func run() throws {
        let runner = BenchRunner(programs: options.programs(), directory: try options.outputFolder())
        let wanted = try cases.split(separator: ",").map { name in
            guard let bench = BenchCase.named(String(name)) else { throw ValidationError("there is no case \(name)") }
            return bench
        }
        if (snapcast || snapcastOnly) && !SnapcastRun.isInstalled {
            throw LabError.missingTool("snapserver or snapclient")
        }
        var results: [BenchResult] = []
        for var bench in wanted {
            bench.seed = seed ?? bench.seed
            bench.seconds = seconds ?? bench.seconds
            if !snapcastOnly { results.append(report(runner.runTutti(bench))) }
            if (snapcast || snapcastOnly) && bench.hasSnapcast { results.append(report(runner.runSnapcast(bench))) }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(results).write(to: URL(fileURLWithPath: "\(runner.directory)/bench.json"))
        print(BenchResult.table(results))
        if results.contains(where: { $0.failure != nil }) { throw ExitCode.failure }
    }

    /// Says on standard error that a case is done, for whoever waits.
    private func report(_ result: BenchResult) -> BenchResult {
        FileHandle.standardError.write(Data("\(result.name) \(result.system): \(result.failure ?? "done")\n".utf8))
        return result
    }
}
