/// A stretch of a programme, in nanoseconds, without its upper end.
package struct MediaSpan: Sendable, Hashable, Codable {
    package var lower: Int64
    package var upper: Int64

    /// A stretch; `lower` ≤ `upper`.
    package init(_ lower: Int64, _ upper: Int64) {
        self.lower = lower
        self.upper = upper
    }
}
