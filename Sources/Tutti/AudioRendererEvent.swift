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
    }

    /// The renderer dropped all that it held; enqueue again from this time, where the programme stood. A request goes on
    /// meanwhile, and may have brought what comes later: flush before enqueuing.
    case flushedAutomatically(at: MediaTime, reason: FlushReason)
    /// The renderer plays on another route from now on.
    case routeChanged(PlaybackRoute.Kind)
    /// The device is back.
    case deviceReturned
    /// A buffer that a request brought was refused, and requesting has stopped.
    case refused(PlaybackError)
}
