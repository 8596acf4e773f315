import Synchronization
public import TuttiCore

/// A sink for whoever draws at a pace of their own, after AVPlayerItemVideoOutput: at each refresh of the display, ask for
/// the frame that is to be seen then.
public final class VideoOutput: VideoSink {
    private struct Showing {
        let frame: VideoFrame
        let instant: HostTime
    }

    /// Frames that are kept for somebody who does not ask.
    private static let maximumFrames = 32

    private let showings = Mutex<[Showing]>([])

    /// An output that has no frame.
    public init() {}

    /// The frame that is to be seen at a host time, until another one takes its place; nil for none. Those before it are
    /// forgotten, so ask for later and later times.
    public func frame(atHostTime instant: HostTime) -> VideoFrame? {
        showings.withLock { showings in
            guard let index = showings.lastIndex(where: { $0.instant <= instant }) else { return nil }
            showings.removeFirst(index)
            return showings.first?.frame
        }
    }

    /// Takes what is to be seen; the renderer calls it.
    public func present(_ presentation: VideoPresentation) {
        showings.withLock { showings in
            switch presentation {
            case .show(let frame, let instant): showings.append(Showing(frame: frame, instant: instant))
            case .takeBack(let instant): showings.removeAll { $0.instant >= instant }
            case .removeImage: showings.removeAll()
            }
            if showings.count > Self.maximumFrames { showings.removeFirst() }
        }
    }
}
