/// What was rendered.
package struct ExportReport: Sendable {
    /// Loudness, as EBU R 128 measures it.
    package struct Loudness: Sendable, Equatable {
        /// LUFS of all inputs through the chain, before the gain.
        package var before: Double
        /// Decibels of gain that were added.
        package var gain: Double
        /// Whether a limiter keeps peaks below the ceiling.
        package var isLimited: Bool
        /// LUFS of the output; nil for silence.
        package var after: Double?
        /// dBTP of the output; nil for silence.
        package var truePeak: Double?
    }

    /// Frames written.
    package var frameCount: Int64 = 0
    /// Frames a second.
    package var sampleRate = 0
    /// Samples that were cut off at full scale.
    package var clippedCount: Int64 = 0
    /// With a loudness to reach.
    package var loudness: Loudness?
    /// Inputs with packets that could not be decoded and are silent, and how many.
    package var damaged: [(name: String, count: Int)] = []

    /// Seconds written.
    package var seconds: Double { sampleRate > 0 ? Double(frameCount) / Double(sampleRate) : 0 }

}

/// How far it is.
package struct ExportProgress: Sendable {
    /// Whether sound is only measured so far.
    package var isMeasuring: Bool
    /// Seconds of sound of this pass.
    package var position: Double
    /// Seconds of the whole pass; nil where nobody knows.
    package var duration: Double?
    /// Seconds of sound of all passes together.
    package var rendered: Double
}
