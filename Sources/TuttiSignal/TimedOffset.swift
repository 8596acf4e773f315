/// How far one room was behind another at a moment.
package struct TimedOffset: Sendable, Codable, Equatable {
    /// Seconds from the beginning of the measurement to the middle of what was looked at.
    package var seconds: Double
    /// Microseconds by which the second room is behind the first.
    package var microseconds: Double

    package init(seconds: Double, microseconds: Double) {
        self.seconds = seconds
        self.microseconds = microseconds
    }
}

extension [TimedOffset] {
    /// The offsets in order, cut where there is none for half a second or more.
    package var stretches: [[TimedOffset]] {
        var result: [[TimedOffset]] = []
        for offset in self {
            if let last = result.last?.last, offset.seconds - last.seconds < 0.5 {
                result[result.count - 1].append(offset)
            } else {
                result.append([offset])
            }
        }
        return result
    }
}
