public import TuttiCore
public import TuttiPlayback

/// What happens to a renderer of its own accord.
public enum AudioRendererEvent: Sendable, Equatable {
    /// Why a renderer was flushed.
    public enum FlushReason: Sendable, Hashable {
        /// The device went away.
        case deviceLost
        /// The session's device was configured anew.
        case reconfigured
        /// The programme goes on at another rate.
        case rateChanged
    }

    /// The renderer dropped all that it held; enqueue again from this time, where the programme stood, or where the
    /// other rate begins to hold: what is heard until then plays on. A request goes on meanwhile, and may have brought
    /// what comes later: flush before enqueuing.
    case flushedAutomatically(at: MediaTime, reason: FlushReason)
    /// The renderer plays on another route from now on.
    case routeChanged(PlaybackRoute.Kind)
    /// The device is back, or, on a route of rooms, one of the rooms.
    case deviceReturned
    /// On a route of rooms: one of them came, went, or does something else than before. The others play on; one that
    /// comes back joins where the timeline stands.
    case room(name: String, RoomChange)
    /// A buffer that a request brought was refused, and requesting has stopped.
    case refused(PlaybackError)
}
