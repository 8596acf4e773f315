import Testing
import TuttiSimulation

/// Scripts that seeds were shrunk to, each of which broke something once.
@Suite struct FoundScriptTests {
    /// By what was wrong.
    private static let scripts: [(String, String)] = [
        (
            "a sender does not know how loud a room is that it cannot reach",
            """
            seed 21
            duration 290s
            rooms bath
            0s user den house play
            76.200s user den house volume bath 21
            240s kill sender den
            260s cut speaker bath
            260s restart sender den
            272s mend speaker bath
            """
        ),
        (
            "a piece comes into its own ending where it is repeated with a crossfade",
            """
            seed 20
            duration 246.800s
            rooms kitchen
            0s user den house play
            150s user den house repeat one
            150s user den house crossfade 12s
            """
        ),
        (
            "a room's oscillator, by which it knows its card and the others' time, changes its rate at once",
            """
            seed 40
            duration 80s
            rooms bath
            0s user den house play
            28.100s drift speaker bath 50
            """
        ),
        (
            "so does the sender's",
            """
            seed 25
            duration 240s
            rooms kitchen
            0s user den house play
            210s drift sender den 46
            """
        ),
        (
            "a room is taken out of the group while it cannot be reached, and hears of it later",
            """
            seed 64
            duration 52.300s
            rooms kitchen bath
            0s user den house play
            9s cut sender den
            20s user den house remove-room kitchen
            30s mend sender den
            40s user den house seek 5.081s
            """
        ),
    ]

    @Test(arguments: scripts)
    func nothingBreaksAnyMore(_ cause: String, _ text: String) throws {
        let broken = try WorldHouse.play(House.troubled, text).broken
        #expect(broken == [], "\(cause)")
    }
}
