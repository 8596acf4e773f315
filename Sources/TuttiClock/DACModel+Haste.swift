extension DACModel {
    /// Tells readings that were taken without interruption from others, by how long they took.
    struct Haste: Sendable {
        /// How much longer than the quickest a usual one may take: this many times, and this many nanoseconds or this
        /// share of a step, where steps are coarse: a reading that finds the pointer moved has more to do.
        static let tolerance = (factor: 2.0, offset: 1_500.0, share: 0.002)
        /// How fast the quickest one is forgotten, a reading: a card that became slower is believed after some hundred.
        static let forgetting = 1.01

        private var quickest = Double.infinity

        /// Whether a reading that took `nanoseconds` counts, the pointer moving in steps of `step` nanoseconds. RT.
        mutating func isUsual(_ nanoseconds: Int64, step: Double) -> Bool {
            guard nanoseconds > 0 else { return true }
            let length = Double(nanoseconds)
            quickest = min(length, quickest * Self.forgetting)
            return length
                <= quickest * Self.tolerance.factor + max(Self.tolerance.offset, step * Self.tolerance.share)
        }
    }
}
