extension FoundScripts {
    /// What plays: volume, order, and what is held.
    static let playback: [(String, String)] = [
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
            "a room that has stood still has to catch up with a store that gives up what lies behind its timebase",
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
    ]
}
