package import TuttiCore

/// What is decoded for a start.
package struct Preroll: Sendable, Equatable {
    /// Decoded audio of one sample rate.
    struct Audio: Sendable, Equatable {
        /// The media time of the first frame.
        let start: MediaTime
        /// Frames a second.
        let sampleRate: Int
        var frames: Int
    }

    /// Audio that is decoded before a stream counts as ready to start, in ms. Less where it is live.
    package static let milliseconds = 150

    /// The same for what plays so many nanoseconds after its capture: it comes no sooner.
    package static func milliseconds(captureLatency: Int64) -> Int {
        min(milliseconds, max(5, Int(captureLatency / 10_000_000)))
    }

    /// Where the stream is to start.
    package private(set) var start: MediaTime
    /// Where nothing was held, up to the start; nil without such a gap.
    package private(set) var gap: MediaTime?
    /// Whether it follows what plays without a seam.
    let isSeam: Bool
    /// How much is to be decoded, in ms.
    private let needed: Int
    private(set) var audio: Audio?
    /// Nothing can be added: the stream, or this run of one sample rate, ends behind the audio.
    private var hasEnded = false

    init(start: MediaTime, isSeam: Bool = false, gap: MediaTime? = nil, needed: Int = milliseconds) {
        self.needed = needed
        self.start = start
        self.isSeam = isSeam
        self.gap = gap
    }

    /// Whether there is enough to start with, or no more can come.
    package var isReady: Bool {
        guard let audio else { return hasEnded }
        return hasEnded || audio.frames >= audio.sampleRate * needed / 1_000
    }

    /// Takes what was read behind the audio.
    ///
    /// - Returns: what is to be done; nil when nothing more can be read for now.
    mutating func take(_ reading: PlaybackPlan.Reading) -> PlaybackPlan.Effect? {
        switch reading {
        case .audio(let start, let sampleRate, let frames):
            precondition(sampleRate > 0 && frames > 0, "audio has frames")
            if let audio, audio.sampleRate != sampleRate {
                hasEnded = true
                return .seek(to: start)
            }
            audio = Audio(start: audio?.start ?? start, sampleRate: sampleRate, frames: (audio?.frames ?? 0) + frames)
            return .keep
        case .gap where audio != nil:
            // The deck that plays this leaves the silence.
            hasEnded = true
            return nil
        case .gap(let time) where time - start < PlaybackPlan.second:
            if !isSeam { gap = gap ?? start }
            start = time
            return .skip(to: time)
        case .gap, .starved: return nil
        case .ended:
            hasEnded = true
            return nil
        }
    }

    /// More may follow.
    mutating func reopen() { hasEnded = false }
}
