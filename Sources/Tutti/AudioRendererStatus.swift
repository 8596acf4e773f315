/// How a renderer is.
public enum AudioRendererStatus: Sendable, Hashable {
    /// Nothing has been enqueued.
    case unknown
    /// It renders what it is given.
    case rendering
    /// Its output cannot be used; `error` says why. It recovers by itself when the device returns.
    case failed
}
