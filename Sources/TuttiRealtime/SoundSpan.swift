/// The output frames of one period from the first to the last in which something sounds.
struct SoundSpan: Sendable, Hashable {
    /// The first of them.
    var first = Int.max
    /// The one after the last.
    var end = 0

    var isEmpty: Bool { end <= first }

    /// Grows to hold `other` too.
    mutating func join(_ other: SoundSpan) {
        guard !other.isEmpty else { return }
        first = min(first, other.first)
        end = max(end, other.end)
    }
}
