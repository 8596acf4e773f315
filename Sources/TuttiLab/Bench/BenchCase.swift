/// One measurement of the bench, as data.
package struct BenchCase: Sendable {
    /// A room: its link, its card, its clock.
    package struct Room: Sendable {
        package var name: String
        package var profile: LinkProfile
        package var ppm: Double
        package var card: LabCard.Kind
        /// What `TUTTI_TEST_CLOCK` says in this room; nil for the machine's own clock.
        package var clock: String?

        package init(
            _ name: String, _ profile: LinkProfile, ppm: Double, card: LabCard.Kind = .exact, clock: String? = nil
        ) {
            self.name = name
            self.profile = profile
            self.ppm = ppm
            self.card = card
            self.clock = clock
        }
    }

    /// What is done and measured.
    package enum Work: Sendable, Equatable {
        /// The song is played to its end: step, completeness, time to the first sound, processor and memory.
        case play
        /// The whole song is loaded and then stopped: the time until every room holds all of it.
        case load
    }

    package var name: String
    package var title: String
    package var rooms: [Room]
    package var work: Work
    /// Length of the song.
    package var seconds: Double
    package var seed: UInt64
    /// Whether Snapcast can be measured on it too.
    package var hasSnapcast: Bool

    package init(
        _ name: String, _ title: String, rooms: [Room], work: Work = .play, seconds: Double = 60, seed: UInt64 = 1,
        hasSnapcast: Bool = true
    ) {
        self.name = name
        self.title = title
        self.rooms = rooms
        self.work = work
        self.seconds = seconds
        self.seed = seed
        self.hasSnapcast = hasSnapcast
    }
}
