/// What a route needs of those who play to it.
package struct RouteTraits: Sendable, Equatable {
    /// How much audio it wants ahead of the playhead, in seconds; 0.25 … 3600.
    package let depth: Double
    /// How far ahead of playing audio must lie to be taken back, in ns.
    package let flushMargin: Int64

    /// Traits; values are brought inside their limits.
    package init(depth: Double, flushMargin: Int64) {
        self.depth = depth.isFinite ? min(max(depth, 0.25), 3_600) : 0.25
        self.flushMargin = min(max(flushMargin, 0), 10_000_000_000)
    }

    /// Once as much is held as is wanted, more is asked for when this much is left, in seconds.
    package var resumeDepth: Double { depth - min(2, depth / 4) }
}
