/// Why loudness cannot be measured.
package enum LoudnessError: Error, Equatable, Sendable {
    /// Sound that is not of 1 … 8 channels at 8 000 … 768 000 Hz.
    case unsupportedFormat(channelCount: Int, sampleRate: Int)
    /// Samples that are no whole number of frames.
    case partialFrame(samples: Int, channelCount: Int)
    /// A sample, counted from the first of its call, that is no number, infinite, or absurdly far above full scale.
    case badSample(index: Int)
    /// The system gives no memory.
    case outOfMemory
}

extension LoudnessError: CustomStringConvertible {
    /// One line that says what happened.
    package var description: String {
        switch self {
        case .unsupportedFormat(let channels, let rate):
            "loudness of \(channels) channels at \(rate) Hz cannot be measured; 1 to 8 at 8000 to 768000 Hz can"
        case .partialFrame(let samples, let channels):
            "\(samples) samples are no whole number of frames of \(channels) channels"
        case .badSample(let index): "sample \(index) is no number, or far above full scale"
        case .outOfMemory: "out of memory for measuring loudness"
        }
    }
}
