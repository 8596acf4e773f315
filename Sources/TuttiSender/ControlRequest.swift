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
        /// Events from now on, a line each, after the answer.
        case watch
    }

    /// What is asked for.
    package var command: Command
    /// `seek`: `T`, `+T` or `-T`.
    package var position: String?
    /// `volume`, `mute`: the room, or all. `delay`: the room.
    package var room: String?
    /// `volume`: `N`, `+N` or `-N`.
    package var volume: String?
    /// `mute`: whether to be silent.
    package var muted: Bool?
    /// `rate`: 0.5 … 2.
    package var rate: Double?
    /// `crossfade`: 0 … 12.
    package var seconds: Double?
    /// `delay`: milliseconds, -5000 … 5000.
    package var outputDelayMs: Double?
    /// `add`, `insert`: the pieces. `replace`: the one piece.
    package var inputs: [ControlInput]?
    /// `remove`: places in the queue, from 0. `jump`, `replace`: the one place. `move`: from, and to.
    package var entries: [Int]?
    /// `shuffle`, `consume`: `on` or `off`. `repeat`: `off`, `all` or `one`.
    package var mode: String?

    /// A request.
    package init(
        _ command: Command, position: String? = nil, room: String? = nil, volume: String? = nil,
        muted: Bool? = nil, rate: Double? = nil, seconds: Double? = nil,
        outputDelayMs: Double? = nil, inputs: [ControlInput]? = nil, entries: [Int]? = nil, mode: String? = nil
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
    }

    /// The longest line, in bytes: some hundred thousand pieces at once.
    package static let limit = 64 << 20
}
