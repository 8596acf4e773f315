/// What a video renderer says is to be seen.
public enum VideoPresentation: Sendable {
    /// Show a picture from a host time on, until another one takes its place. It is said a little before.
    case show(VideoFrame, atHostTime: HostTime)
    /// What was to be shown at a host time or later is not: the picture before it stays until something else is said.
    case takeBack(fromHostTime: HostTime)
    /// Show nothing.
    case removeImage
}

/// Shows pictures: a window, a program of its own, a file.
public protocol VideoSink: AnyObject, Sendable {
    /// Something is to be seen. Called one at a time, in order, and never from inside a call to the renderer; must not
    /// block for long.
    func present(_ presentation: VideoPresentation)
}
