import Synchronization
import Testing
import Tutti

/// Shows what it is told to, and remembers it.
final class VideoScreen: VideoSink {
    struct Showing: Sendable {
        /// Nil for no picture.
        let frame: VideoFrame?
        let instant: HostTime

        var time: MediaTime? { frame?.presentationTime }
    }

    private let content = Mutex([Showing]())
    private let clock: PlaybackClock

    init(clock: PlaybackClock) { self.clock = clock }

    /// All that has been, or is to be, seen.
    var showings: [Showing] { content.withLock { $0 } }

    func present(_ presentation: VideoPresentation) {
        content.withLock { showings in
            switch presentation {
            case .show(let frame, let instant):
                showings.append(Showing(frame: frame, instant: instant))
            case .takeBack(let instant): showings.removeAll { $0.instant >= instant }
            case .removeImage: showings.append(Showing(frame: nil, instant: clock.now()))
            }
        }
    }

    /// The picture that is seen now; nil for none.
    var seenFrame: VideoFrame? {
        let now = clock.now()
        return showings.last { $0.instant <= now }?.frame
    }

    /// The time of the picture that is seen now; nil for none.
    var seen: MediaTime? { seenFrame?.presentationTime }
}
