import Foundation

extension Double {
    /// The number with this many digits after the point, in the notation of programs.
    package func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }

    /// The number with as many digits as it has use for: 0.25, 3.4, 185.
    package var shortText: String {
        if self == rounded() { return text(0) }
        return text(abs(self) >= 100 ? 0 : abs(self) >= 1 ? 1 : 2)
    }
}
