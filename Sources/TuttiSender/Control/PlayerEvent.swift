package import TuttiRooms
package import TuttiSchema

/// What a player reports to its watchers.
package enum PlayerEvent: Sendable, Equatable {
    /// The player's state changed.
    case state(PlayerStatus.State)
    /// Another track plays from now on.
    case item(PlayerStatus.Item)
    /// A track cannot be played (any further); `id` is that of its entry in the queue.
    case itemFailed(index: Int, uri: String, message: String, id: UInt64?)
    /// What is played comes too slowly: the rooms wait for more of it.
    case stalled
    /// A room came, went or changed its state.
    case room(name: String, RoomEvent, message: String)
    /// Something worth a line.
    case notice(PlayerNotice)
    /// How it stands, once a second.
    case progress(PlayerStatus)
    /// It is over.
    case finished(PlayerOutcome)
}

/// How playback ended.
package struct PlayerOutcome: Sendable, Equatable {
    /// The exit code of a program that did only this.
    package var exitCode: Int32
    /// Why, if there is something to say.
    package var message: String?
    /// What went wrong, for callers in the same process.
    package var error: SenderError?
}
