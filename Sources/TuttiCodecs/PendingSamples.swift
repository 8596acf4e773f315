/// Samples that wait for the rest of their packet.
struct PendingSamples {
    private var samples: [Float] = []
    private var start = 0

    /// Samples that wait.
    var count: Int { samples.count - start }

    /// Adds samples at the end.
    mutating func append(_ more: [Float]) {
        if start > 0 {
            samples.removeFirst(start)
            start = 0
        }
        samples.append(contentsOf: more)
    }

    /// The next `count` samples, or nil while there are fewer. Amortised O(count).
    mutating func take(_ count: Int) -> ArraySlice<Float>? {
        guard self.count >= count else { return nil }
        defer { start += count }
        return samples[start..<start + count]
    }
}
