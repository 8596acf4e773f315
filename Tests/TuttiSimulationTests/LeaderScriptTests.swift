import Testing
import TuttiSimulation

/// Scripts after which a clock once had two leaders for good, or rooms followed one another.
@Suite struct LeaderScriptTests {
    /// By what was wrong.
    private static let scripts: [(String, String)] = [
        (
            "nobody knows where the leader is now, and it does not ask",
            """
            seed 17
            duration 50s
            0s user den house play
            30s readdress sender den
            """
        ),
        (
            "two rooms on one side of a partition, one of which has another address",
            """
            seed 9
            duration 60s
            0s user den house play
            30s readdress speaker bath
            33s partition speaker bath speaker study
            45s heal
            """
        ),
        (
            "all lose the leader at once, behind a queue on its link",
            """
            seed 14
            duration 60s
            0s user den house play
            30s slow sender den 100k
            """
        ),
        (
            "a room that was taken out of the group knows the clock, and nobody knows where it is",
            """
            seed 20
            duration 70s
            0s user den house play
            20s user den house remove-room kitchen
            30s readdress speaker kitchen
            45s readdress sender den
            """
        ),
        (
            "a leader stands still while another takes over, and the orders of a sender that has come back are old",
            """
            seed 3
            duration 90s
            0s user den house play
            20s kill sender den
            28s freeze speaker kitchen
            36s restart sender den
            44s partition speaker kitchen sender den
            52s thaw speaker kitchen
            60s heal
            """
        ),
        (
            "a room that is of the group no more has another address, its sender another process, and only one knows both",
            """
            seed 2167
            duration 60s
            rooms kitchen bath
            0s user den house play
            10s user den house remove-room bath
            14s readdress speaker bath
            18s kill sender den
            22s restart sender den
            30s partition speaker kitchen
            45s heal
            """
        ),
    ]

    @Test(arguments: scripts) func aClockHasOneLeader(why: String, script text: String) throws {
        let script = try Script(text, file: why, scenario: House.troubled)
        var leader = OneLeader(House.troubled)
        var calm = Calm(House.troubled)
        var broken: [String] = []
        for moment in Simulation<World>(House.troubled, script) {
            calm.note(moment)
            broken += leader.check(moment, calm: calm).map(\.description)
        }
        #expect(broken == [], "\(why)")
    }
}
