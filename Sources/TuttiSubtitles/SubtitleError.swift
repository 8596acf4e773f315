/// Why texts cannot be drawn.
package enum SubtitleError: Error, Equatable, Sendable {
    /// libass could not be made ready, as without memory.
    case unavailable
    /// Pixels of a side outside of the limits, 1 … 16 384.
    case size(width: Int, height: Int)
}

extension SubtitleError: CustomStringConvertible {
    /// One line that says what happened.
    package var description: String {
        switch self {
        case .unavailable: "texts cannot be drawn: libass does not start"
        case .size(let width, let height): "texts cannot be drawn on \(width) × \(height) pixels (1 to 16384 a side)"
        }
    }
}
