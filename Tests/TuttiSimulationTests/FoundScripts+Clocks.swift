extension FoundScripts {
    /// Clocks, oscillators and leaders.
    static let clocks: [(String, String)] = [
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
}
