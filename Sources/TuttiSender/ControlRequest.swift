/// One line from a controller to a player: `{"command": …}`.
package struct ControlRequest: Sendable, Equatable, Codable {
    /// What is asked for.
    package enum Command: String, Sendable, Codable, CaseIterable {
        case status, pause, resume, toggle, stop, seek, volume, delay, next, previous
        /// Events from now on, a line each, after the answer.
        case watch
    }

    /// What is asked for.
    package var command: Command
    /// `seek`: `T`, `+T` or `-T`.
    package var position: String?
    /// `volume`: the room, or all. `delay`: the room.
    package var room: String?
    /// `volume`: `N`, `+N` or `-N`.
    package var volume: String?
    /// `delay`: milliseconds, -5000 … 5000.
    package var outputDelayMs: Double?

    /// A request.
    package init(
        _ command: Command, position: String? = nil, room: String? = nil, volume: String? = nil,
        outputDelayMs: Double? = nil
    ) {
        self.command = command
        self.position = position
        self.room = room
        self.volume = volume
        self.outputDelayMs = outputDelayMs
    }
}
