/// An entity that a place has in Home Assistant.
struct HomeEntity: Sendable, Equatable {
    /// The platforms of Home Assistant that are used.
    enum Component: String, Sendable {
        case binarySensor = "binary_sensor"
        case button, notify, number, select, sensor, `switch`, text
    }

    /// What it is in Home Assistant.
    var component: Component
    /// Tells it apart from the place's other ones, for good: it is part of its unique id. Without `_`.
    var key: String
    /// As people see it.
    var name: String
    var icon: String?
    /// The topic of its value.
    var state: String?
    /// The topic for its commands.
    var word: HomeWord?
    /// What it needs besides.
    var extras: Extras = .none

    /// What some components need besides.
    enum Extras: Sendable, Equatable {
        case none
        /// A field of the JSON object in its topic; the whole object is its attributes if `hasAttributes`.
        case field(String, hasAttributes: Bool)
        /// One of these words.
        case words([String])
        /// A number that is set by a slider or in a field.
        case range(ClosedRange<Double>, unit: String, mode: String)
        /// A figure for whoever looks after the house.
        case figure(unit: String)
        /// Whether something is there, as its topic says `online` or `offline`.
        case connectivity
    }

    /// Those of a place.
    static func all(of place: HomePlace) -> [HomeEntity] {
        switch place {
        case .service: service
        case .group: group
        case .room: room
        }
    }

    private static let service = [
        HomeEntity(
            component: .binarySensor, key: "connected", name: "Service", state: "status", extras: .connectivity),
        button(.resume, "Resume all", "mdi:play"), button(.pause, "Pause all", "mdi:pause"),
        button(.stop, "Stop all", "mdi:stop"), announcement,
    ]

    private static let group =
        [
            HomeEntity(
                component: .sensor, key: "state", name: "State", icon: "mdi:speaker-multiple", state: "state",
                extras: .words(GroupState.allCases.map(\.rawValue))),
            track("title", "Title", "mdi:music-note", hasAttributes: true),
            track("artist", "Artist", "mdi:account-music", hasAttributes: false),
            track("album", "Album", "mdi:album", hasAttributes: false),
            button(.resume, "Play", "mdi:play"), button(.pause, "Pause", "mdi:pause"),
            button(.stop, "Stop", "mdi:stop"),
            button(.next, "Next", "mdi:skip-next"), button(.previous, "Previous", "mdi:skip-previous"),
            HomeEntity(
                component: .select, key: "repeat", name: "Repeat", icon: "mdi:repeat", state: "repeat", word: .repeat,
                extras: .words(["off", "all", "one", "single"])),
            HomeEntity(
                component: .switch, key: "shuffle", name: "Shuffle", icon: "mdi:shuffle", state: "shuffle",
                word: .shuffle),
            HomeEntity(
                component: .number, key: "sleep", name: "Sleep timer", icon: "mdi:timer-sand", state: "sleep",
                word: .sleep, extras: .range(HomeCommand.minutes, unit: "min", mode: "box")),
        ] + level

    private static let room =
        [
            HomeEntity(
                component: .sensor, key: "state", name: "State", icon: "mdi:speaker", state: "state",
                extras: .words(roomStates)),
            HomeEntity(component: .sensor, key: "group", name: "Group", icon: "mdi:speaker-multiple", state: "group"),
            HomeEntity(
                component: .binarySensor, key: "connected", name: "Speaker", state: "availability",
                extras: .connectivity),
            HomeEntity(
                component: .sensor, key: "sync-error", name: "Sync error", icon: "mdi:sine-wave", state: "sync-error",
                extras: .figure(unit: "µs")),
            HomeEntity(
                component: .sensor, key: "buffered", name: "Buffered", icon: "mdi:tray-full", state: "buffered",
                extras: .figure(unit: "s")),
        ] + level

    /// How loud it is, and what can be played there.
    private static let level = [
        HomeEntity(
            component: .number, key: "volume", name: "Volume", icon: "mdi:volume-high", state: "volume", word: .volume,
            extras: .range(0...100, unit: "%", mode: "slider")),
        HomeEntity(
            component: .switch, key: "mute", name: "Mute", icon: "mdi:volume-off", state: "mute", word: .mute),
        HomeEntity(
            component: .text, key: "play", name: "Play address", icon: "mdi:playlist-play", word: .play),
        announcement,
    ]

    private static let announcement = HomeEntity(
        component: .notify, key: "say", name: "Announce", icon: "mdi:bullhorn", word: .say)

    private static func button(_ word: HomeWord, _ name: String, _ icon: String) -> HomeEntity {
        HomeEntity(component: .button, key: word.rawValue, name: name, icon: icon, word: word)
    }

    private static func track(_ field: String, _ name: String, _ icon: String, hasAttributes: Bool) -> HomeEntity {
        HomeEntity(
            component: .sensor, key: field, name: name, icon: icon, state: "track",
            extras: .field(field, hasAttributes: hasAttributes))
    }
}
