package import TuttiAssets
package import TuttiCore

/// What the producer tells of a track, in order.
package enum ProducerEvent: Sendable {
    /// It was opened.
    case opened(AssetInfo)
    /// It cannot be played (any further).
    case failed(message: String)
    /// It begins here, with nothing left out: in the ending before it, or behind that.
    case placed(start: MediaTime, head: CrossfadeTail?)
    /// The ending before it cannot be played (any further).
    case tailFailed(message: String)
    /// From here on a station says that it plays this; nil when it says nothing any more.
    case titled(String?, at: MediaTime)
    /// The next packets.
    case packets([SampleBuffer])
    /// It has been made but for its ending.
    case ending(CrossfadeTail)
    /// It ends here, to the frame; `remainingOffset` of the place to begin at lies behind it.
    case ended(end: MediaTime, remainingOffset: MediaTime)
}
