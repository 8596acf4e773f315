extension FoundScripts {
    /// Connections that are dead, hosts that sleep, and rooms that are elsewhere.
    static let connections: [(String, String)] = [
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
            "a sender that wakes makes its timebase only once a room that has another address counts as gone",
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
    ]
}
