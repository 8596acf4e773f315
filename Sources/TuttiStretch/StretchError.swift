/// Why sound cannot be stretched.
package enum StretchError: Error, Equatable, Sendable {
    /// A rate outside of `TimeStretcher.rates`, or no number.
    case badRate(Double)
    /// Frames a second that are none.
    case badSampleRate(Int)
    /// The system gives no memory.
    case outOfMemory
}

extension StretchError: CustomStringConvertible {
    /// One line that says what happened.
    package var description: String {
        switch self {
        case .badRate(let rate): "\(rate): a rate is from 0.5 to 2"
        case .badSampleRate(let rate): "audio at \(rate) Hz cannot be stretched"
        case .outOfMemory: "out of memory for stretching audio"
        }
    }
}
