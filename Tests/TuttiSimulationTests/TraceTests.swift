import Testing
import TuttiSimulation

/// Traces and what is made of runs.
@Suite struct TraceTests {
    private func trace(seed: UInt64) -> [String] {
        var trace = Trace()
        let script = Script(for: House.troubled, seed: seed)
        return Simulation<ModelHouse>(House.troubled, script).flatMap { trace.note($0) }
    }

    @Test func theSameSeedGivesTheSameLines() {
        let first = trace(seed: 3)
        #expect(first.count > 500)
        #expect(first == trace(seed: 3))
        #expect(first != trace(seed: 4))
    }

    @Test func linesSayWhatHappenedAndWhatChanged() throws {
        let script = try Script(
            "0s user den house play\n10s kill speaker bath", file: "a", scenario: House.small)
        var trace = Trace()
        let lines = Simulation<ModelHouse>(House.small, script).flatMap { trace.note($0) }
        #expect(lines.contains("10.000s > kill speaker bath"))
        #expect(lines.contains("10.100s bath: not running"))
        #expect(lines.contains("0.100s den: answers house play: done"))
        #expect(trace.tail.last == lines.last)
        #expect(trace.tail.count < 200)
    }

    @Test func figuresTellOfDropoutsBuffersAndRecovery() throws {
        let script = try Script(
            "0s user den house play\n35s kill speaker bath\n40s restart speaker bath", file: "a", scenario: House.small)
        var record = HouseRecord(House.small)
        for moment in Simulation<ModelHouse>(House.small, script) { record.note(moment) }
        let figures = record.figures
        #expect(figures.map(\.name) == ["kitchen", "bath"])
        #expect(figures[0].recoveries == [] && figures[0].dropouts == 0 && figures[0].longestDropout == 0)
        #expect(figures[0].syncMaximum.map { (500...1000).contains($0) } == true)
        #expect(figures[0].bufferMinimum.map { $0 > 200 * House.second } == true)
        #expect(figures[1].recoveries.count == 1)
        #expect(figures[1].recoveries.allSatisfy { $0 < House.second })
        #expect(!figures[1].isOutAtEnd)
    }
}
