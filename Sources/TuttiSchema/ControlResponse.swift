/// The line that answers a `ControlRequest`.
package struct ControlResponse: Sendable, Equatable, Codable {
    /// Whether it was done.
    package var ok: Bool
    /// Why not.
    package var error: String?
    /// The exit code of a program that asked for nothing else.
    package var exitCode: Int32?
    /// How the player stands after it.
    package var status: PlayerStatus?
    /// The whole queue, for those who asked.
    package var queue: QueueListing?
    /// Whether a service answers, and not a player that ends with its queue.
    package var service: Bool?
    /// How all groups stand that play, for those who asked a service how things are.
    package var playing: [PlayerStatus]?
    /// The groups whose queues are kept and do not play, for those who asked a service how all things are.
    package var stopped: [PlayerStatus]?
    /// The named groups, each with its rooms as `--room` takes them.
    package var groups: [String: [String]]?
    /// The radio stations that are kept, in the order of their names.
    package var stations: [StationListing]?
    /// What was asked of the music library.
    package var library: LibraryListing?
    /// The playlists that are kept, in the order of their names; the one that was asked for, with its tracks.
    package var playlists: [PlaylistListing]?
    /// What is to be played later.
    package var schedules: [ScheduleListing]?
    /// The room that was meant, by its own name.
    package var room: String?
    /// How the room's effects stand, for those who asked.
    package var effects: EffectsListing?
    /// How the effects of two rooms stand that are a stereo pair, or were one: first the left one.
    package var pair: [EffectsListing]?
    /// What a person should know besides, a line each.
    package var notices: [String]?
    /// Seconds until the group's end, when it is to sleep.
    package var sleep: Double?

    /// It was done, and there is more to say than how a player stands.
    package init() { ok = true }

    /// It was done.
    package init(status: PlayerStatus?) {
        ok = true
        self.status = status
    }

    /// It was not done.
    ///
    /// - Parameter exitCode: of a program that asked for nothing else.
    package init(error: String, exitCode: Int32) {
        ok = false
        self.error = error
        self.exitCode = exitCode
    }
}
