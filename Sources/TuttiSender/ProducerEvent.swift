import TuttiAssets
import TuttiCore

/// What the producer tells of a piece, in order.
enum ProducerEvent: Sendable {
    /// It was opened.
    case opened(AssetInfo)
    /// It cannot be played (any further).
    case failed(message: String)
    /// Its next packets.
    case packets([SampleBuffer])
    /// It ends here, to the frame; `remainingOffset` of the place to begin at lies behind it.
    case ended(end: MediaTime, remainingOffset: MediaTime)
}
