import Synchronization
import Testing
import Tutti

/// Shows what it is told to, and remembers it.
final class VideoScreen: VideoSink {
    struct Showing: Sendable {
        /// Nil for no picture.
        let time: MediaTime?
        let instant: HostTime
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
                showings.append(Showing(time: frame.presentationTime, instant: instant))
            case .takeBack(let instant): showings.removeAll { $0.instant >= instant }
            case .removeImage: showings.append(Showing(time: nil, instant: clock.now()))
            }
        }
    }

    /// The time of the picture that is seen now; nil for none.
    var seen: MediaTime? {
        let now = clock.now()
        return showings.last { $0.instant <= now }?.time
    }
}
