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
            "a room comes back to a clock, and remembers its own oscillator's rate and its card's from before that was another one",
            """
            seed 6144
            duration 260s
            0s user den house play
            30.604s user den house remove-room study
            82.988s drift speaker study 40
            215.577s user den house add-room study
            215.626s user den house remove 2
            """
        ),
        (
            "a room's oscillator changes its rate, and lines through the bend are what its coarse card is measured by",
            """
            seed 6144
            duration 140s
            rooms study
            0s user den house play
            82.988s drift speaker study 40
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
        (
            "a room is taken out by a sender that has stood still, on a connection that the room has long given up",
            """
            seed 140891007
            duration 232.100s
            0s user den house play
            9s user den house seek 68.706s
            130s user den house seek 20.467s
            203.860s freeze sender den
            205s user den house remove-room bath
            220s thaw sender den
            """
        ),
        (
            "a leader that knows nobody any more but one who follows it is left by that one for a better leader",
            """
            seed 1
            duration 282s
            0s user den house play
            6.110s user den house previous
            171.668s user den house insert overture
            197.568s user den house remove-room bath
            205.706s user den house remove-room kitchen
            224.502s readdress speaker kitchen
            256.805s drift sender den -19.0
            262.377s cut speaker study
            275.917s readdress sender den
            """
        ),
        (
            "a host that has slept hears the leader, is told to ask another, and passes for an older program that the leader follows",
            """
            seed 10
            duration 70s
            0s user den house play
            3s user den house pause
            10s kill sender den
            20s restart sender den
            25s user den house resume
            30s suspend sender den
            40s user den house pause
            59.700s wake sender den
            60.300s user den house resume
            """
        ),
        (
            "two rooms are taken out on connections that are dead, and one is looked for where the other one is, which hangs up for that",
            """
            seed 20499
            duration 92.700s
            0s user den house play
            50s suspend sender den
            50s user den house remove-room kitchen
            60s user den house remove-room bath
            80s wake sender den
            """
        ),
        (
            "a programme that is not repeated comes to its end while its sender is dead",
            """
            seed 20729
            duration 70s
            rooms kitchen
            0s user den house play
            1s user den house repeat off
            2s user den house jump 3
            40s kill sender den
            60s restart sender den
            """
        ),
        (
            "a room that is out of reach plays on by the old crossfade, and hears of another one when it is back",
            """
            seed 22314
            duration 110s
            0s user den house play
            1s user den house crossfade 9s
            60s partition speaker study
            65s user den house crossfade 1s
            105s heal
            """
        ),
        (
            "a room behind a queue that fills takes it for another rate of the clock when it asks another leader",
            """
            seed 28038
            duration 66.400s
            0s user den house play
            20s user den house next
            40s slow speaker bath 350k
            60s mend speaker bath
            """
        ),
        (
            "a room begins behind a queue that drains, where all exchanges say the same wrong thing",
            """
            seed 29201
            duration 93.200s
            0s user den house play
            38.000s user den house jump 0
            50s kill speaker bath
            83.700s restart speaker bath
            83.800s slow speaker bath 1300k
            """
        ),
        (
            "a room's host sleeps in a pause, and its card with it",
            """
            seed 28245
            duration 90s
            rooms study
            0s user den house play
            60s user den house pause
            71s suspend speaker study
            73s wake speaker study
            74s user den house resume
            """
        ),
        (
            "a sender that wakes makes its line only once a room that has another address counts as gone",
            """
            seed 28127
            duration 65s
            rooms kitchen bath
            0s user den house play
            20s user den house pause
            30s suspend sender den
            44s readdress speaker bath
            55s wake sender den
            55.700s user den house jump 2
            55.800s user den house resume
            """
        ),
        (
            "all hosts have slept, and none of them knows the clock any more",
            """
            seed 93182
            duration 170s
            rooms bath
            0s user den house play
            129s suspend speaker bath
            130s suspend sender den
            140s user den house jump 2
            145s wake speaker bath
            146s wake sender den
            """
        ),
        (
            "a room that was taken out leads, which none but the sender knows of it and of the one that moved",
            """
            seed 70255
            duration 186.200s
            0s user den house play
            14s kill sender den
            30s restart sender den
            130s kill speaker kitchen
            130s partition speaker kitchen speaker bath speaker study
            130s restart speaker kitchen
            140s readdress speaker kitchen
            150s user den house remove-room bath
            150s heal
            180s partition sender den speaker kitchen speaker bath
            """
        ),
        (
            "a room's leader follows another one, whose link is mended",
            """
            seed 71307
            duration 286.400s
            0s user den house play
            40s kill sender den
            42.403s partition speaker kitchen speaker bath
            66s restart sender den
            70.500s heal
            240.900s drift speaker kitchen -37.0
            259s cut speaker kitchen
            280s mend speaker kitchen
            """
        ),
        (
            "a sender loses the room that it follows, for that has moved",
            """
            seed 80241
            duration 272.300s
            rooms bath study
            0s user den house play
            160s user den house remove-room bath
            238.100s kill sender den
            260s restart sender den
            266s readdress speaker study
            """
        ),
        (
            "a sender that is started again where nobody knows the clock begins another; rooms that it does not reach play on",
            """
            seed 80406
            duration 107.800s
            0s user den house play
            50s suspend speaker study
            80s kill sender den
            80s wake speaker study
            80s partition speaker kitchen speaker bath
            90s restart sender den
            100s heal
            """
        ),
        (
            "a room waits behind a gap that is filled piece by piece",
            """
            seed 100243
            duration 24.900s
            rooms study
            0s user den house play
            10s freeze sender den
            10s user den house previous
            10s slow speaker study 1950k
            20s thaw sender den
            """
        ),
        (
            "the same, with less than a second held at a time",
            """
            seed 92221
            duration 197.800s
            rooms kitchen
            0s user den house play
            147s user den house next
            160s cut sender den
            170s user den house previous
            180s slow speaker kitchen 1500k
            190s mend sender den
            """
        ),
        (
            "a room that was not sure of its clock, and is now, has still to get there",
            """
            seed 40298
            duration 184s
            0s user den house play
            66.025s suspend sender den
            135.924s drift speaker kitchen -41.0
            165.268s slow speaker kitchen 300k
            """
        ),
    ]

    /// What breaks again. The leader's oscillator jumps by 41 ppm, which no real one does, and before a room behind
    /// Wi-Fi has learnt that, the leader's link becomes ten times as slow: the room is 0.3 – 1.3 ms off for some ten
    /// seconds, and believes a tenth of that.
    private static let waiting: Set<String> = [
        "a room that was not sure of its clock, and is now, has still to get there"
    ]

    @Test(arguments: scripts)
    func nothingBreaksAnyMore(_ cause: String, _ text: String) throws {
        let broken = try WorldHouse.play(House.troubled, text).broken
        if Self.waiting.contains(cause) {
            withKnownIssue("a line that is surer than it should be", isIntermittent: true) {
                #expect(broken == [], "\(cause)")
            }
        } else {
            #expect(broken == [], "\(cause)")
        }
    }
}
