import Testing
import TuttiSimulation

/// Each invariant holds in a good house, and finds the bug that breaks it.
@Suite struct InvariantTests {
    /// A pause, an edit right before the sender dies, a room without its link, a seek.
    private static let script = """
        0s user den house play
        20s user den house pause
        22s user den house resume
        33s user den house volume bath 40
        33s user den house add song
        34s kill sender den
        36s restart sender den
        40s cut speaker bath
        46s mend speaker bath
        65s user den house seek 30s
        """

    /// Each bug with the invariant that finds it.
    private static let bugs: [(PlantedBug, String)] = [
        (.lateRoom, "group-time"), (.silentWhileLoaded, "no-gap"), (.repeatedSound, "once"),
        (.unheardTimebase, "timeline"), (.earlyAcknowledgement, "acknowledged"), (.creditIgnored, "bounds"),
        (.stubbornLeader, "leader"),
    ]

    private static func violations<H: SimulatedHouse>(in _: H.Type, _ bugs: Set<PlantedBug>) throws -> [Violation] {
        var scenario = House.small
        scenario.duration = 100 * House.second
        scenario.rooms[1].bufferBytes = 40 << 20
        let script = try Script(script, file: "a", scenario: scenario)
        var guards = Guards(scenario)
        return Simulation<H>(scenario, script, bugs: bugs).flatMap { guards.check($0) }
    }

    @Test func aGoodHouseBreaksNone() throws {
        #expect(try Self.violations(in: ModelHouse.self, []).map { "\($0.time): \($0)" } == [])
        #expect(try Self.violations(in: World.self, []).map { "\($0.time): \($0)" } == [])
    }

    @Test(arguments: bugs)
    func aBugIsFoundByItsInvariant(_ bug: PlantedBug, _ invariant: String) throws {
        let found = try Self.violations(in: ModelHouse.self, [bug])
        #expect(found.contains { $0.invariant == invariant }, "\(found.first.map(\.description) ?? "nothing found")")
    }

    @Test(arguments: bugs)
    func aBugOfTheProgramsIsFoundByItsInvariant(_ bug: PlantedBug, _ invariant: String) throws {
        let found = try Self.violations(in: World.self, [bug])
        #expect(found.contains { $0.invariant == invariant }, "\(found.first.map(\.description) ?? "nothing found")")
    }

    @Test func everyInvariantHasItsBug() {
        #expect(Guards.all.count == PlantedBug.allCases.count)
        #expect(Set(Guards.all.map { $0.name }).count == Guards.all.count)
    }

    @Test func aGoodHouseBreaksNoneWhateverHappens() {
        for seed in UInt64(1)...20 {
            let script = Script(for: House.troubled, seed: seed)
            var guards = Guards(House.troubled)
            let found = Simulation<ModelHouse>(House.troubled, script).lazy.flatMap { guards.check($0) }.first
            #expect(found == nil, "seed \(seed): \(found.map { "\($0.time): \($0)" } ?? "")")
        }
    }
}
