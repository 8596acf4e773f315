import TuttiAssets
import TuttiCore

/// What the producer tells, in order.
enum ProducerEvent: Sendable {
    /// An item was opened and begins at `start`.
    case opened(item: Int, info: AssetInfo, start: MediaTime)
    /// An item cannot be played (any further).
    case failed(item: Int, message: String)
    /// The next packets of the programme.
    case packets([SampleBuffer])
    /// An item ends here, to the frame.
    case ended(item: Int, end: MediaTime)
    /// The last item is through: the programme ends here.
    case finished(end: MediaTime)
}
