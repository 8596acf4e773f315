public import TuttiPlayback

/// What happens to a `QueuePlayer`.
public enum QueuePlayerEvent: Sendable {
    /// Another item is heard from now on.
    case currentItemChanged(PlayerItem)
    /// It plays, is paused, or waits.
    case timeControlStatusChanged(QueuePlayer.TimeControlStatus)
    /// The current item, or the next one, comes too slowly: the outputs wait for it.
    case stalled
    /// It is heard again.
    case resumed
    /// An item cannot be played, or not to its end; the next one follows. Told when it turns out, maybe minutes ahead.
    case itemFailed(PlayerItem, PlaybackError)
    /// The pictures of an item cannot be shown, or not to their end; its sound plays. Told when it turns out.
    case picturesFailed(reason: String)
    /// So many items in a row cannot be played that those after them are not tried: a disk or a share may be missing.
    /// It ends there as at the end of the queue.
    case gaveUp(failures: Int)
    /// Nothing is left to play. The player is paused, or finishes.
    case ended
    /// A room is connected.
    case roomConnected(String)
    /// A room is not to be had (any more). It is tried again, and joins in step.
    case roomLost(String, reason: String)
    /// A room is not to be had when the others begin (`Configuration.allowsMissingRooms`). It is tried again, and joins
    /// in step.
    case roomMissing(String, reason: String)
    /// A room is not ready in time when the others begin. It joins in step.
    case roomLate(String)
    /// Something else happened to a room, in which it plays on or will again.
    case roomChanged(String, RoomChange)
    /// The player is over; last. With an error when it could not go on.
    case finished(QueuePlayerError?)
}

extension QueuePlayer {
    /// Whether a player plays.
    public enum TimeControlStatus: Sendable, Hashable {
        /// It stands still.
        case paused
        /// It plays as soon as the outputs are connected and hold enough.
        case waitingToPlay
        /// It is heard.
        case playing
    }
}
