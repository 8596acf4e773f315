public import TuttiPlayback

/// What happens to a session and its device.
public enum AudioSessionEvent: Sendable, Equatable {
    /// Why what is played on has changed.
    public enum RouteChange: Sendable, Hashable {
        /// The session was activated.
        case activated
        /// The device has other values than before.
        case reconfigured
        /// The device went away: unplugged, or its server is gone.
        case deviceUnavailable
        /// The device is there again.
        case deviceAvailable
    }

    /// What is played on has changed; the session's values say how it is now.
    case routeChanged(RouteChange)
    /// Nothing is heard until `interruptionEnded`; programmes go on in time. Renderers are flushed automatically.
    case interruptionBegan(PlaybackError)
    /// The device plays again, in step with the programme.
    case interruptionEnded
    /// The session was deactivated.
    case deactivated
}
