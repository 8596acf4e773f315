/// What the render thread knows about the frames that it is about to write.
package struct RenderPeriod: Sendable {
    /// Output frames to make; at most the kernel's `maximumPeriodFrames`.
    package var frameCount: Int
    /// When the first of them will sound, in nanoseconds of group time: everything queued before it included.
    package var groupNanoseconds: Int64
    /// The rest of that instant, 0 ..< 1 ns.
    package var groupFraction: Double
    /// Nanoseconds of group time from one output frame to the next (20 833.3… for a perfect 48 kHz card).
    package var groupNanosecondsPerFrame: Double
    /// False while group clock or card clock are unknown: nothing starts, what plays keeps its rate.
    package var isClockValid: Bool
    /// True for the first period after the card lost its place (xrun, restart): decks go to their right position at
    /// once.
    package var isDiscontinuity: Bool
    /// True for the first period after the card was found to stand elsewhere than was believed: what is off by more
    /// than a trifle goes to its right position at once.
    package var isRelocated = false
    /// Whether the room is the reference: decks of the output's rate play frame for frame as soon as the card runs
    /// along the reference line, and that follows the card.
    package var isReference = false
    /// The volume as a linear factor; 0 when muted.
    package var gain: Float
    /// Output frames in which a new `gain` is reached.
    package var gainRampFrames: Int

    /// A period with everything known.
    package init(
        frameCount: Int, groupNanoseconds: Int64, groupFraction: Double, groupNanosecondsPerFrame: Double,
        isClockValid: Bool = true, isDiscontinuity: Bool = false, gain: Float = 1, gainRampFrames: Int = 0
    ) {
        self.frameCount = frameCount
        self.groupNanoseconds = groupNanoseconds
        self.groupFraction = groupFraction
        self.groupNanosecondsPerFrame = groupNanosecondsPerFrame
        self.isClockValid = isClockValid
        self.isDiscontinuity = isDiscontinuity
        self.gain = gain
        self.gainRampFrames = gainRampFrames
    }

    /// Whether the numbers can be computed with.
    var isUsable: Bool {
        isClockValid && groupFraction.isFinite && groupNanosecondsPerFrame.isFinite && groupNanosecondsPerFrame > 1
            && groupNanosecondsPerFrame < 1e9
    }

    /// Output frames from this period's first to group time `instant`; clamped to ±10¹⁵.
    func frames(until instant: Int64) -> Double {
        let (difference, overflow) = instant.subtractingReportingOverflow(groupNanoseconds)
        if overflow { return instant < groupNanoseconds ? -1e15 : 1e15 }
        return min(max((Double(difference) - groupFraction) / groupNanosecondsPerFrame, -1e15), 1e15)
    }

    /// The same frames as if they were `frames` frames later.
    func advanced(by frames: Int) -> RenderPeriod {
        guard frames != 0 else { return self }
        var later = self
        let ahead = groupFraction + Double(frames) * groupNanosecondsPerFrame
        guard ahead.isFinite, abs(ahead) < 1e17 else { return self }
        let whole = ahead.rounded(.down)
        later.groupNanoseconds = groupNanoseconds &+ Int64(whole)
        later.groupFraction = ahead - whole
        return later
    }
}
