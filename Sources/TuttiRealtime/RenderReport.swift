/// What happened in one period; the counts are this period's, and about the owner's decks alone.
package struct RenderReport: Sendable {
    /// Whether a deck was on its line and `errorNanoseconds` says how well.
    package var hasError = false
    /// How much too early the period's first frame sounds (negative: too late), before the jump if one was made. What a
    /// discontinuity cut off is no error.
    package var errorNanoseconds = 0.0
    /// How far the resampler's step is from the nominal one, in millionths.
    package var ratioPPM = 0.0
    /// Whether the loop has settled.
    package var isLocked = false
    /// Decks that gave sound, fading ones included.
    package var audibleDecks = 0
    /// A bit for each overlay that gave sound and had data for all of it, the first one's the lowest.
    package var soundingOverlays: UInt8 = 0
    /// Output frames that should have sounded and had no data.
    package var underrunFrames = 0
    /// Times that a deck ran out of data.
    package var stalls = 0
    /// Jumps inside a crossfade.
    package var crossfades = 0
    /// Jumps over more than a crossfade bears, and those after a discontinuity.
    package var reanchors = 0
    /// Source frames jumped over because their time had passed.
    package var skippedFrames = 0
    /// Whether a deck made its sound of more than one source frame each.
    package var isResampled = false
    /// Whether a deck's source has another rate than the output.
    package var hasOtherRate = false
    /// Whether the volume, or its lowering for an overlay, has altered the samples.
    package var isScaled = false
    /// In a reference room, how far ahead of the reference line the source frames are that its card is to get, in ns.
    package var referenceNanoseconds = 0.0
    /// Whether the samples are the source's own (or silence): no dither is wanted then.
    package var isBitExact = true

    /// A period in which nothing happened.
    package init() {}

    /// Takes in what another piece of the same period came to, which follows the ones before.
    mutating func take(_ piece: RenderReport) {
        var piece = piece
        piece.underrunFrames += underrunFrames
        piece.stalls += stalls
        piece.crossfades += crossfades
        piece.reanchors += reanchors
        piece.skippedFrames += skippedFrames
        piece.isBitExact = piece.isBitExact && isBitExact
        piece.isResampled = piece.isResampled || isResampled
        piece.hasOtherRate = piece.hasOtherRate || hasOtherRate
        piece.isScaled = piece.isScaled || isScaled
        self = piece
    }
}
