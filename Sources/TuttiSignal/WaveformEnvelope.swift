/// The lowest and the highest sample of each of many equal stretches of a sound, however long it gets: where there are
/// too many stretches, two become one.
package struct WaveformEnvelope: Sendable {
    /// A stretch.
    package struct Span: Sendable, Equatable {
        package var lowest: Float
        package var highest: Float

        mutating func include(_ sample: Float) {
            lowest = min(lowest, sample)
            highest = max(highest, sample)
        }

        mutating func include(_ other: Span) {
            lowest = min(lowest, other.lowest)
            highest = max(highest, other.highest)
        }
    }

    /// All stretches that are complete, in order.
    package private(set) var spans: [Span] = []
    /// Frames of each.
    package private(set) var framesPerSpan = 64
    /// Frames so far.
    package private(set) var frameCount = 0
    private var open: Span?
    private var openFrames = 0
    private let maximumCount: Int

    /// An envelope of at most `maximumCount` stretches, and no fewer than half as many once there are enough frames.
    package init(maximumCount: Int = 2_048) { self.maximumCount = max(2, maximumCount / 2 * 2) }

    /// Adds a frame of two channels.
    package mutating func add(_ left: Float, _ right: Float) {
        var span = open ?? Span(lowest: left, highest: left)
        span.include(left)
        span.include(right)
        open = span
        openFrames += 1
        frameCount += 1
        if openFrames == framesPerSpan { close(span) }
    }

    private mutating func close(_ span: Span) {
        spans.append(span)
        (open, openFrames) = (nil, 0)
        guard spans.count == maximumCount else { return }
        for index in 0..<maximumCount / 2 {
            var merged = spans[2 * index]
            merged.include(spans[2 * index + 1])
            spans[index] = merged
        }
        spans.removeLast(maximumCount / 2)
        framesPerSpan *= 2
    }
}
