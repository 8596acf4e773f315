package import TuttiCore

/// What a deck plays: one contiguous run of source frames at one rate on one timebase.
///
/// Frame indices count the frames that the worker writes to the deck: frame 0 is the first one.
package struct DeckRun: Sendable, Hashable {
    /// Source frames a second.
    package let sourceRate: Int
    /// The frame that the timebase is anchored at; any index, whether it is ever written or not.
    package let anchorFrame: Int64
    /// The instant of that frame, in nanoseconds of group time.
    package let anchorGroupNanoseconds: Int64
    /// The rest of the instant, 0 ..< 1 ns.
    package let anchorFraction: Double
    /// The first audible instant. Frames written for earlier instants are skipped.
    package let startGroupNanoseconds: Int64
    /// How long the run takes to come up to full level. With 0 the run joins what plays before it without a seam: it
    /// starts half a filter length early on the silence before frame 0.
    package let fadeInNanoseconds: Int64

    /// A run with an explicit anchor.
    ///
    /// - Precondition: `sourceRate` is positive.
    package init(
        sourceRate: Int, anchorFrame: Int64, anchorGroupNanoseconds: Int64, anchorFraction: Double,
        startGroupNanoseconds: Int64, fadeInNanoseconds: Int64 = 0
    ) {
        precondition(sourceRate > 0, "a sample rate is positive")
        self.sourceRate = sourceRate
        self.anchorFrame = anchorFrame
        self.anchorGroupNanoseconds = anchorGroupNanoseconds
        self.anchorFraction = anchorFraction.isFinite ? anchorFraction : 0
        self.startGroupNanoseconds = startGroupNanoseconds
        self.fadeInNanoseconds = max(0, fadeInNanoseconds)
    }

    /// A run on `timebase` whose first written frame lies at `firstFrameTime` of the timeline; nil while the timebase
    /// is paused or when the rate is not an audio format's.
    package init?(
        timebase: Timebase, firstFrameTime: MediaTime, sourceRate: Int, startGroupNanoseconds: Int64,
        fadeInNanoseconds: Int64 = 0
    ) {
        guard AudioFormat.Limits.sampleRates.contains(sourceRate), timebase.rate == 1,
            let anchor = timebase.groupTimeWithFraction(of: firstFrameTime)
        else { return nil }
        self.init(
            sourceRate: sourceRate, anchorFrame: 0, anchorGroupNanoseconds: anchor.nanoseconds,
            anchorFraction: anchor.fraction, startGroupNanoseconds: startGroupNanoseconds,
            fadeInNanoseconds: fadeInNanoseconds)
    }
}

/// Whether a deck follows the clock.
package enum Correction: Sendable, Hashable {
    /// The source position is held on its line: the normal case.
    case on
    /// The source is read at its nominal rate from the start instant on; where source and output rates are equal its
    /// samples pass unaltered.
    case off
}
