import TuttiCore
import TuttiPlayback
import TuttiRealtime

extension DecodeWorker {
    /// What plays: one run of one sample rate on one timebase.
    struct ActiveRun {
        let deck: Deck
        let timebase: Timebase
        let sampleRate: Int
        /// Where the deck's first frame lies in the programme.
        let start: MediaTime
        /// Part of a chunk that the deck had no room for.
        var rest: ArraySlice<Float> = []
        /// The deck has been told that nothing follows.
        var isFinished = false

        /// Lets what is written next come at frame `frame` of the deck, whatever it has there.
        ///
        /// - Returns: false when the render thread has come too near to that frame.
        mutating func reopen(atFrame frame: Int64, margin: Int64) -> Bool {
            guard deck.reopen(atFrame: frame, margin: margin) else { return false }
            (rest, isFinished) = ([], false)
            return true
        }
    }

    /// Decoded audio that waits for its instant.
    struct Stage {
        var start: MediaTime
        var chunks: [DecodedChunk] = []
        /// Nothing can be added: the programme, or this run of one sample rate, ends behind the chunks.
        var hasEnded = false
        /// The stage follows what plays without a seam.
        var isSeam = false
        /// Where nothing was held, up to the start; nil without such a gap.
        var gap: MediaTime?

        var frameCount: Int { chunks.reduce(0) { $0 + $1.frameCount } }
        var isReady: Bool {
            guard let first = chunks.first else { return hasEnded }
            return hasEnded || frameCount >= first.sampleRate * DecodeWorker.stagedMilliseconds / 1_000
        }
    }
}
