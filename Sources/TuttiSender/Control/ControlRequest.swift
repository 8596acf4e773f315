/// One line from a controller to a player: `{"command": …}`.
package struct ControlRequest: Sendable, Equatable, Codable {
    /// What is asked for.
    package enum Command: String, Sendable, Codable, CaseIterable {
        case status, pause, resume, toggle, stop, seek, volume, mute, rate, delay, next, previous
        /// The whole queue, with the answer.
        case queue
        /// Edits of it.
        case add, insert, remove, move, replace, clear, jump, shuffle, `repeat`, consume
        /// How the pieces are joined.
        case crossfade
        /// Which room's card leads playback time.
        case reference
        /// Events from now on, a line each, after the answer.
        case watch
        /// For a service alone: something new to play, now or later, and what is to become of it.
        case play, say, at, schedules, cancel, sleep
        /// For a service alone: the named groups of rooms.
        case group
    }

    /// What is asked for.
    package var command: Command
    /// `seek`: `T`, `+T` or `-T`.
    package var position: String?
    /// `volume`, `mute`: the room, or all. `delay`: the room. `reference`: the room, or none where it is left out.
    package var room: String?
    /// `volume`: `N`, `+N` or `-N`; nil to be told how loud the rooms are.
    package var volume: String?
    /// `mute`: whether to be silent.
    package var muted: Bool?
    /// `rate`: 0.5 … 2.
    package var rate: Double?
    /// `crossfade`: 0 … 12. `sleep`: until the end; 0 for never.
    package var seconds: Double?
    /// `delay`: milliseconds, -5000 … 5000.
    package var outputDelayMs: Double?
    /// `add`, `insert`: the pieces. `replace`: the one piece.
    package var inputs: [ControlInput]?
    /// `remove`: places in the queue, from 0. `jump`, `replace`: the one place. `move`: from, and to. `cancel`: numbers of schedules.
    package var entries: [Int]?
    /// `shuffle`, `consume`: `on` or `off`. `repeat`: `off`, `all` or `one`. `group`: `list`, `set`, `add`, `remove` or `delete`.
    package var mode: String?
    /// Which of the groups that play is meant, where several do; for `play` and `at`, what the group is to be called. `group`: the name.
    package var group: String?
    /// `play`, `say`, `at`: what, where and how. `resume`, `add`, `insert`: where, and how, if nothing plays there.
    package var order: PlayOrder?
    /// `group`: the rooms, each as `--room` takes it.
    package var rooms: [String]?
    /// `at`: when, as `Schedule` reads it.
    package var when: String?
    /// `pause`, `resume`, `toggle`, `stop`, `mute`, `volume`: whether all groups are meant that play.
    package var all: Bool?
    /// `play`, `say`: to be answered when it is heard, and without events after that.
    package var detach: Bool?

    /// A request.
    package init(
        _ command: Command, position: String? = nil, room: String? = nil, volume: String? = nil,
        muted: Bool? = nil, rate: Double? = nil, seconds: Double? = nil,
        outputDelayMs: Double? = nil, inputs: [ControlInput]? = nil, entries: [Int]? = nil, mode: String? = nil,
        group: String? = nil
    ) {
        self.command = command
        self.position = position
        self.room = room
        self.volume = volume
        self.muted = muted
        self.rate = rate
        self.seconds = seconds
        self.outputDelayMs = outputDelayMs
        self.inputs = inputs
        self.entries = entries
        self.mode = mode
        self.group = group
    }

    /// The longest line, in bytes: some hundred thousand pieces at once.
    package static let limit = 64 << 20
}
