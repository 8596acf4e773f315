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
        (
            "a room with another address, which nobody asks for the time, is looked for by its speaker's id",
            """
            seed 2012
            duration 262s
            rooms kitchen bath
            0s user den house play
            165.773s kill sender den
            175.694s restart sender den
            208.773s user den house pause
            240.310s readdress speaker bath
            247.346s user den house resume
            """
        ),
        (
            "rooms hang up while a sender's host is asleep; it hears of that as soon as it says something",
            """
            seed 2027
            duration 235s
            rooms kitchen
            0s user den house play
            207s suspend sender den
            210s user den house jump 2
            224s wake sender den
            """
        ),
        (
            "a room that has stood still has to catch up with a store that gives up what lies behind its line",
            """
            seed 750924121
            duration 200s
            rooms study
            0s user den house play
            179s freeze speaker study
            190.800s thaw speaker study
            """
        ),
        (
            "a room that nobody serves wakes, does not know the time for a moment, and takes that for the end",
            """
            seed 2043
            duration 60s
            rooms kitchen bath
            0s user den house play
            20s kill sender den
            30s suspend speaker bath
            42s wake speaker bath
            """
        ),
        (
            "what is due comes to a room that had fallen behind, and it takes a moment to begin with it",
            """
            seed 2059
            duration 80s
            0s user den house play
            40.700s blackhole speaker kitchen 791
            44s slow speaker bath 750k
            48.380s user den house previous
            70s mend speaker bath
            """
        ),
        (
            "a piece is repeated, and its end and its beginning fall into the time without a card",
            """
            seed 4003
            duration 110s
            rooms kitchen
            0s user den house play
            1s user den house repeat one
            30s unplug kitchen
            100s plug kitchen
            """
        ),
        (
            "a room has another address while its sender's host is asleep, which takes the old connection for good when it wakes",
            """
            seed 4069
            duration 92s
            rooms kitchen
            0s user den house play
            50.380s suspend sender den
            56.149s readdress speaker kitchen
            70.329s user den house seek 9.057s
            79.462s wake sender den
            """
        ),
        (
            "a room is started anew and remembers its oscillator's rate from before that was another one",
            """
            seed 3174
            duration 140s
            rooms study
            0s user den house play
            57.078s drift speaker study 40
            104.940s kill speaker study
            107.829s restart speaker study
            """
        ),
        (
            "the sender is told how loud a room is to be, and dies with its word in a queue",
            """
            seed 3103
            duration 240s
            0s user den house play
            204.396s slow sender den 800k
            212.172s user den house volume bath 15
            217.904s kill sender den
            224.700s restart sender den
            """
        ),
    ]

    @Test(arguments: scripts)
    func nothingBreaksAnyMore(_ cause: String, _ text: String) throws {
        let broken = try WorldHouse.play(House.troubled, text).broken
        #expect(broken == [], "\(cause)")
    }
}
