import TuttiPlayback

/// How a reference room comes to copy frames one to one, and back.
///
/// The line's slope goes to the card's rate first. Then every output frame lies at the same fraction of a source frame,
/// and the room reports where its frames would lie were they whole: the line moves by that fraction, all rooms with it,
/// and what is left for the change to jump over is a twentieth of a frame.
extension DeckVoice {
    /// The way from filtered frames to copied ones.
    struct Alignment {
        /// Whether the line's slope has come to the card's rate, so that the fraction counts.
        var hasRate = false
        /// Output frames since then.
        var frames = 0
    }

    /// How close the limits are.
    private enum Limit {
        /// The step's distance from 1 with which the fraction begins to count.
        static let rate = 2e-6
        /// The same with which frames can be copied: the line takes out what comes of it.
        static let start = 10e-6
        /// Source frames that the change may jump over.
        static let fraction = 0.05
        /// Seconds after which it jumps over whatever there is, half a frame at most.
        static let timeout = 8.0
    }

    /// Whether frames are to be copied from this period on.
    func copies(_ period: RenderPeriod) -> Bool {
        guard correction == .on else { return resampler.isBypassed }
        return period.isReference && nominalRatio == 1 && period.isUsable
            && abs(feedForward(period) - 1) < Limit.start
    }

    /// Sets the resampler of a voice that is about to start to copying or filtering.
    mutating func prepareStart(_ period: RenderPeriod) {
        guard correction == .on else { return }
        resampler.setBypassed(copies(period))
        alignment = Alignment()
    }

    /// Whether a running voice has to change between copying and filtering now, in a crossfade.
    mutating func changesCopying(_ period: RenderPeriod) -> Bool {
        guard correction == .on, fadeOutPlayed == nil else { return false }
        if resampler.isBypassed { return !period.isReference }
        guard period.isReference, nominalRatio == 1 else {
            alignment = Alignment()
            return false
        }
        if abs(feedForward(period) - 1) < Limit.rate { alignment.hasRate = true }
        guard alignment.hasRate else { return false }
        alignment.frames += period.frameCount
        let isOnFrame = abs(position - position.rounded()) < Limit.fraction
        return copies(period) && (isOnFrame || Double(alignment.frames) > Limit.timeout * outputRate)
    }

    /// How far ahead of the line the frames are that the card gets, or is to get, in ns.
    func referenceError(_ period: RenderPeriod) -> Double {
        guard period.isReference, resampler.isBypassed || alignment.hasRate else { return 0 }
        return (position.rounded() - wantedPosition(period)) / Double(run.sourceRate) * 1e9
    }
}
