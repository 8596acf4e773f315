import ArgumentParser
import Foundation
import TuttiLab

/// `tutti-lab bench`: the lab's measurements, Snapcast's beside them.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Tutti in the lab, and Snapcast for comparison.",
        discussion: """
            Plays the lab's song with the real programs on virtual cards, over links with delays, and compares what \
            left the cards. Prints a table, and saves every result in a file of the output folder. Results that are there \
            are not measured again, so an interrupted run continues where it stopped. Cases:
            \(BenchCase.all.map { "  \($0.name)\($0.isOptIn ? " (only when named)" : ""): \($0.title)" }.joined(separator: "\n"))
            """)

    @OptionGroup var options: LabOptions

    @Option(help: "The cases, separated by commas, or all. (default: all, or none with --report)")
    var cases: String?

    @Option(help: "The seed of all delays, stalls and losses.")
    var seed: UInt64?

    @Option(help: "Run each case with each of these seeds, such as 1-5 or 1,3.")
    var seeds: String?

    @Option(help: "The length of the song in seconds, instead of each case's own.")
    var seconds: Double?

    @Flag(help: "Run Snapcast as well.")
    var snapcast = false

    @Flag(help: "Run only Snapcast.")
    var snapcastOnly = false

    @Flag(help: "Measure again even if there is a result.")
    var again = false

    @Flag(help: "Keep the recordings.")
    var keep = false

    @Option(help: "Write tables and plots of all results in the output folder to DIR/benchmarks.md and DIR/figures.")
    var report: String?

    func run() throws {
        let folder = try options.outputFolder()
        var runner = BenchRunner(programs: options.programs(), directory: folder)
        runner.keepsRecordings = keep
        let store = ResultStore(directory: folder)
        let wanted = try chosenCases()
        let seeds = try chosenSeeds()
        if (snapcast || snapcastOnly) && !wanted.isEmpty && !SnapcastRun.isInstalled {
            throw LabError.missingTool("snapserver or snapclient")
        }
        var results: [BenchResult] = []
        for var bench in wanted {
            bench.seconds = seconds ?? bench.seconds
            for seed in seeds {
                bench.seed = seed
                if !snapcastOnly { results.append(try measure(bench, "tutti", store, runner.runTutti)) }
                guard (snapcast || snapcastOnly) && bench.hasSnapcast else { continue }
                results.append(try measure(bench, "snapcast", store, runner.runSnapcast))
            }
        }
        if !results.isEmpty { print(BenchResult.table(results)) }
        if let report { try BenchReport(results: store.all()).write(to: report) }
        if results.contains(where: { $0.failure != nil }) { throw ExitCode.failure }
    }

    /// The result of a case, measured unless it is there; says on standard error that it is done, for whoever waits.
    private func measure(
        _ bench: BenchCase, _ system: String, _ store: ResultStore, _ run: (BenchCase) -> BenchResult
    ) throws -> BenchResult {
        let name = ResultStore.name(case: bench.name, system: system, seed: bench.seed)
        let started = Date()
        let result = try store.measure(bench, system: system, again: again, run)
        let p99 = (result.figures?[.whole] ?? result.steering?.apart()).map { "p99 \($0.p99.text(1)) µs" } ?? "done"
        say("\(name): \(result.failure ?? p99), \(Date().timeIntervalSince(started).text(0)) s")
        return result
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    private func chosenCases() throws -> [BenchCase] {
        guard let cases = cases ?? (report == nil ? "all" : nil) else { return [] }
        if cases == "all" { return BenchCase.all.filter { !$0.isOptIn } }
        return try cases.split(separator: ",").map { name in
            guard let bench = BenchCase.named(String(name)) else { throw ValidationError("no such case: \(name)") }
            return bench
        }
    }

    private func chosenSeeds() throws -> [UInt64] {
        guard let seeds else { return [seed ?? 1] }
        guard let list = SeedList(seeds) else { throw ValidationError("\(seeds): not a list of seeds; use 1-5 or 1,3") }
        return list.seeds
    }
}
