import Foundation
import Testing
import TuttiLab

@Suite("Report of a bench")
struct BenchReportTests {
    @Test(
        "lists of seeds",
        arguments: [("1-5", [1, 2, 3, 4, 5]), ("7", [7]), ("1,3,8-9", [1, 3, 8, 9])] as [(String, [UInt64])])
    func seeds(text: String, expected: [UInt64]) {
        #expect(SeedList(text)?.seeds == expected)
    }

    @Test("what is no list of seeds", arguments: ["", "a", "5-1", "1-", "1,,2", "1-2-3", "-1", "1-99999999"])
    func notSeeds(text: String) {
        #expect(SeedList(text) == nil)
    }

    @Test("middle and worst seed, and the mark's verdict")
    func summary() throws {
        let bench = try #require(BenchCase.named("lan"))
        func summary(_ offsets: [Double]) -> CaseSummary? {
            let results = offsets.enumerated().map { index, offset in
                MadeUp.result("lan", seed: UInt64(index)) { _ in offset }
            }
            return CaseSummary(bench, isTutti: true, of: results)
        }
        let values = try #require(summary([3, 9, 4])?.middleAndWorst { $0.figures?[.whole]?.p99 })
        #expect(values.middle == 4 && values.worst == 9)
        #expect(summary([3, 9, 4])?.verdict == .met)
        #expect(summary([3, 11, 4])?.verdict == .mostly)
        #expect(summary([12, 11, 4])?.verdict == .missed)
        #expect(summary([3, 9, 4])?.typical?.seed == 2)
        #expect(summary([]) == nil)
    }

    @Test("results are kept and found again")
    func store() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tutti-store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = ResultStore(directory: folder.path)
        var failed = MadeUp.result("wifi", seed: 1, system: "snapcast 0.26.0") { _ in 1 }
        failed.failure = "no sound"
        try store.keep(failed)
        try store.keep(MadeUp.result("lan", seed: 4) { $0 })
        #expect(store.result(case: "lan", system: "tutti", seed: 4)?.figures?[.whole]?.count == 700)
        #expect(store.result(case: "lan", system: "tutti", seed: 5) == nil)
        #expect(store.result(case: "wifi", system: "snapcast", seed: 1)?.failure == "no sound")
        #expect(store.all().count == 2)
    }

    @Test("what is there is not measured again; a run in which the machine stood still is, and the best counts")
    func measuring() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tutti-store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = ResultStore(directory: folder.path)
        let bench = try #require(BenchCase.named("lan"))
        var stalls = [60.0, 30, 1, 1]
        var runs = 0
        func run(_ bench: BenchCase) -> BenchResult {
            runs += 1
            var result = MadeUp.result(bench.name, seed: bench.seed) { _ in 1 }
            result.stallMilliseconds = stalls.removeFirst()
            return result
        }
        let first = try store.measure(bench, system: "tutti", run)
        #expect(runs == 2 && first.attempts == 2 && first.stallMilliseconds == 30)
        _ = try store.measure(bench, system: "tutti", run)
        #expect(runs == 2)
        let second = try store.measure(bench, system: "tutti", again: true, run)
        #expect(runs == 3 && second.attempts == 1 && second.stallMilliseconds == 1)

        var failed = second
        failed.failure = "no sound"
        try store.keep(failed)
        #expect(try store.measure(bench, system: "tutti", run).failure == nil)
        #expect(runs == 4)
    }

    @Test("tables and pictures are written; of a page only what is between the marks changes")
    func page() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tutti-report-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let results = [
            MadeUp.result("lan", seed: 1) { sin($0) * 5 },
            MadeUp.result("lan", seed: 1, system: "snapcast 0.26.0") { 150 + sin($0) },
        ]
        let page = folder.appending(path: "benchmarks.md")
        try BenchReport(results: results).write(to: folder.path)
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("| `lan` |") && text.contains("figures/lan.svg") && text.contains("snapcast 0.26.0"))
        let picture = try String(contentsOf: folder.appending(path: "figures/lan.svg"), encoding: .utf8)
        #expect(picture.components(separatedBy: "<polyline").count == 7, "two of offsets, two and two of the others")
        #expect(!picture.contains("nan") && !picture.contains("inf"))
        #expect(picture.utf8.count < 40_000)
        let kept = "# Ours\n" + BenchReport.begin + "\nold\n" + BenchReport.end + "\nafter\n"
        let renewed = BenchReport.page(kept, with: "new")
        #expect(renewed == "# Ours\n" + BenchReport.begin + "\nnew\n" + BenchReport.end + "\nafter\n")
        #expect(BenchReport.page(renewed, with: "new") == renewed)
    }

    @Test("the interval error of a ramp grows with the interval, that of a wave stops at its height")
    func intervals() {
        let ramp = TimeIntervalError(MadeUp.report { 3 * $0 }.pairs[0].offsets)
        #expect(abs(ramp.maximum(within: 10) - 30) < 0.01)
        #expect(abs(ramp.maximum(within: 0.1) - 0.3) < 0.01)
        let wave = TimeIntervalError(MadeUp.report { 5 * sin(2 * .pi * $0 / 7) }.pairs[0].offsets)
        #expect(abs(wave.maximum(within: 20) - 10) < 0.05)
        let curve = wave.curve()
        #expect(curve.count == 23)
        #expect(zip(curve, curve.dropFirst()).allSatisfy { $0.microseconds <= $1.microseconds })
        #expect(TimeIntervalError([]).curve().isEmpty)
    }
}
