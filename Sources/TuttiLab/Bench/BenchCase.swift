package import TuttiCards

/// One measurement of the bench, as data.
package struct BenchCase: Sendable {
    /// A room: its link, its card, its clock.
    package struct Room: Sendable {
        package var name: String
        package var profile: LinkProfile
        package var ppm: Double
        package var card: LabCard.Kind
        /// What sets its card apart from others.
        package var traits = CardTraits()
        /// What `TUTTI_TEST_CLOCK` says in this room; nil for the machine's own clock.
        package var clock: String?
        /// Whether the room's speaker runs when the command to play is given.
        package var isThere = true
        /// Where a service has the room when the song begins.
        package var place = Place.group
        /// What this room's speaker is told besides.
        package var flags: [String] = []

        /// What a room does at first.
        package enum Place: Sendable {
            /// It plays the song.
            case group
            /// Nothing, until it is added.
            case idle
            /// It plays silence in another group, with a clock of its own, until it is added.
            case elsewhere
        }

        package init(
            _ name: String, _ profile: LinkProfile, ppm: Double, card: LabCard.Kind = .exact, clock: String? = nil
        ) {
            self.name = name
            self.profile = profile
            self.ppm = ppm
            self.card = card
            self.clock = clock
        }

        /// A room with the card of a seed, told what nothing that the card says shows.
        package init(_ name: String, _ profile: LinkProfile, cardSeed: UInt64) {
            self.init(name, profile, ppm: 0)
            takeCard(of: cardSeed)
        }

        /// Gets the card of a seed in place of its own.
        fileprivate mutating func takeCard(of seed: UInt64) {
            let drawn = LabCard(name: name, directory: "", seed: seed)
            (ppm, card, traits) = (drawn.ppm, drawn.kind, drawn.traits)
            if drawn.outputDelay != 0 { flags += ["--output-delay", "\(drawn.outputDelay)"] }
        }

        /// Microseconds by which the room is late because no exchange of messages shows that the ways differ: half of
        /// it.
        package var unobservableMicroseconds: Double {
            Double(profile.downlink.base - profile.uplink.base) / 2000
        }
    }

    /// What is done and measured.
    package enum Work: Sendable, Equatable {
        /// The song is played to its end: step, completeness, time to the first sound, processor and memory.
        case play
        /// The whole song is loaded and then stopped: the time until every room holds all of it.
        case load
        /// Commands are given while two pieces play, five minutes of which every room holds: how quickly and how well
        /// rooms obey.
        case steer
    }

    /// Frames a second.
    package struct Rates: Sendable {
        package var song = 48000
        /// The only rate that the cards take; nil for any.
        package var cards: Int?
    }

    /// What programs are told besides the usual.
    package struct Flags: Sendable {
        /// The speakers, besides their names and devices.
        package var speakers: [String] = []
        /// `tutti play`, besides its rooms.
        package var play: [String] = []
    }

    /// The song comes from a line-in of the sender's host.
    package struct Live: Sendable {
        /// How long after its capture it is to be heard, in ms.
        package var latency: Int
        /// How much faster than nominal the line-in's crystal runs.
        package var ppm: Double
    }

    package var name: String
    package var title: String
    package var rooms: [Room]
    /// The link of the sender's host.
    package var senderLink = LinkProfile.direct
    package var work: Work
    /// Length of the song.
    package var seconds: Double
    package var seed: UInt64
    /// Whether Snapcast can be measured on it too.
    package var hasSnapcast: Bool
    /// Pieces that the song is cut into, of equal length.
    package var pieces = 1
    package var rates = Rates()
    /// Seconds for which the same speakers play before what is measured; nil when the rooms meet for the first time.
    package var acquaintance: Double?
    /// Processes of ordinary priority that do nothing but spin while the song plays.
    package var spinners = 0
    /// What is done to the rooms while they play.
    package var events: [BenchEvent] = []
    package var flags = Flags()
    /// Where the song comes live; nil where files are played.
    package var live: Live?
    /// Rooms without a card that play besides on the sender's host.
    package var crowd = 0
    /// Seconds for which `tutti serve` runs, and knows its rooms, before it is commanded to play; nil where
    /// `tutti play` plays alone.
    package var servedAfter: UInt32?
    /// Seconds after the command at which a run ends that is not to go on to the song's end.
    package var lastSecond: Double?
    /// What is to be reached.
    package var marks: [BenchMark] = []
    /// Whether links and cards are drawn anew by the run's seed.
    package var isDrawn = false
    /// Not in the list that runs unless asked otherwise.
    package var isOptIn = false

    package init(
        _ name: String, _ title: String, rooms: [Room], work: Work = .play, seconds: Double = 60, seed: UInt64 = 1,
        hasSnapcast: Bool = true, marks: [BenchMark] = []
    ) {
        self.name = name
        self.title = title
        self.rooms = rooms
        self.work = work
        self.seconds = seconds
        self.seed = seed
        self.hasSnapcast = hasSnapcast
        self.marks = marks
    }

    /// The rooms whose links are no radio.
    package var wiredRooms: Set<String> {
        Set(rooms.filter { $0.profile.uplink.jitter < Self.wiredJitter }.map(\.name))
    }

    /// Nanoseconds of mean jitter from which on a link is a radio.
    private static let wiredJitter: Int64 = 100_000

    /// By how many µs each room is late because nothing can show it.
    package var unobservable: [String: Double] {
        Dictionary(rooms.map { ($0.name, $0.unobservableMicroseconds) }, uniquingKeysWith: { first, _ in first })
    }

    /// This case with cards that are drawn from the population, the first room's by this seed, each further one's by
    /// the next.
    package func withCards(from seed: UInt64) -> BenchCase {
        with { bench in
            for index in bench.rooms.indices { bench.rooms[index].takeCard(of: seed + UInt64(index)) }
        }
    }

    /// This case with links that are drawn from the population, and cards likewise: the first room's by this seed, each
    /// further one's by the next.
    package func withLinks(from seed: UInt64) -> BenchCase {
        withCards(from: seed).with { bench in
            for index in bench.rooms.indices { bench.rooms[index].profile = .drawn(seed: seed + UInt64(index)) }
        }
    }

    /// This case with something else about it.
    package func with(_ change: (inout BenchCase) -> Void) -> BenchCase {
        var changed = self
        change(&changed)
        return changed
    }
}
