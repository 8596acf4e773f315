package import TuttiAssets
package import TuttiCore

/// What the producer tells of a track, in order.
package enum ProducerEvent: Sendable {
    /// It was opened.
    case opened(AssetInfo)
    /// It cannot be played (any further).
    case failed(message: String)
    /// It begins here, with nothing left out: in the tail before it, or after that.
    case placed(start: MediaTime, head: CrossfadeTail?)
    /// The tail before it cannot be played (any further).
    case tailFailed(message: String)
    /// From here on a station reports this title; nil when it reports none any more.
    case titled(String?, at: MediaTime)
    /// How a live source stands.
    case live(LiveReport)
    /// The next packets.
    case packets([SampleBuffer])
    /// It has been produced but for its crossfade tail.
    case ending(CrossfadeTail)
    /// It ends here, to the frame; `remainingOffset` of the place to begin at lies after it.
    case ended(end: MediaTime, remainingOffset: MediaTime)
}
