import Testing
import TuttiSimulation

/// Failing scripts made small.
@Suite struct ShrinkerTests {
    private static func failure(_ script: Script) -> Int64? {
        var guards = Guards(House.troubled.restricted(to: script), [AcknowledgedIsKept.self])
        return Simulation<ModelHouse>(House.troubled, script, bugs: [.earlyAcknowledgement])
            .lazy.flatMap { guards.check($0) }.first?.at
    }

    @Test func aFailureOfManyStepsBecomesOneOfFew() throws {
        let seed = try #require((UInt64(1)...50).first { Self.failure(Script(for: House.troubled, seed: $0)) != nil })
        let script = Script(for: House.troubled, seed: seed)
        let time = try #require(Self.failure(script))
        let small = Shrinker(House.troubled, isOver: { false }, failure: Self.failure).shrink(script, failedAt: time)
        #expect(script.steps.count > 20)
        // A command that is acknowledged, the death of the sender, and its start.
        #expect(small.steps.count <= 4, "\(small)")
        #expect(small.rooms?.count == 1)
        #expect(Self.failure(small) != nil)
        let read = try Script(small.description, file: "a", scenario: House.troubled)
        #expect(read == small)
        #expect(Self.failure(read) != nil)
    }

    @Test func itStopsWhenItsTimeIsOver() {
        var runs = 0
        let script = Script(for: House.troubled, seed: 1)
        let shrinker = Shrinker(House.troubled, isOver: { runs >= 5 }) { _ in
            runs += 1
            return 1_000_000_000
        }
        _ = shrinker.shrink(script, failedAt: 300_000_000_000)
        #expect(runs == 5)
    }
}
