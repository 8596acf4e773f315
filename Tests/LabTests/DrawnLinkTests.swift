import TestSupport
import Testing
import TuttiLab

extension MeasurementTests {
    /// Houses whose links are as they are: wires, powerline and Wi-Fi of any rate and queue, drawn from the population.
    @Suite("Link population", .enabled(if: LabSite.rooms.isMet, LabSite.rooms.comment))
    struct DrawnLinkTests {
        /// Microseconds that two rooms may be apart by: what bad Wi-Fi is allowed at the first meeting, and what it is
        /// allowed later.
        private static let (first, later) = (1_500.0, 300.0)

        @Test(
            "rooms behind any links play the whole song, together", .timeLimit(.minutes(3)),
            arguments: [3] + Soak.only([8]) as [UInt64])
        func house(seed: UInt64) throws {
            let bench = BenchCase(
                "links-\(seed)", "drawn links", rooms: BenchCase.wired(4), seconds: 20, seed: seed, hasSnapcast: false
            ).with { $0.isDrawn = true }
            let runner = BenchRunner(programs: LabSite.programs, directory: try LabSite.folder("links-\(seed)"))
            let result = runner.runTutti(bench)
            print(BenchResult.table([result]))
            #expect(result.failure == nil)
            let comparison = try #require(result.comparison)
            for room in comparison.rooms {
                #expect(room.completeness >= 99, "\(room.name) played \(room.completeness) % of the song")
            }
            let spreads = try #require(result.figures).spreads
            #expect(try #require(spreads[BenchPhase.whole.rawValue]).p99 < Self.first)
            let later = comparison.pairs.flatMap(\.offsets).filter { $0.seconds > 10 }
            #expect(later.count > 100 && later.allSatisfy { abs($0.microseconds) < Self.later })
        }
    }
}
