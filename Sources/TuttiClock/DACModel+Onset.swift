extension DACModel {
    /// Tells when a run's readings begin to count.
    ///
    /// A card that has been started stands for a while before its first frame leaves. It may have counted ahead the
    /// frames that it was handed at once, so what is read before the pointer has moved twice is no reading.
    struct Onset: Sendable {
        private static let movements = 2

        /// Where the pointer stood at the last reading.
        private var place: Int64?
        /// How often it has moved since.
        private var movements = 0

        /// Whether the pointer, which stands at `playedFrames`, has moved often enough. RT.
        mutating func isOver(at playedFrames: Int64) -> Bool {
            guard movements < Self.movements else { return true }
            if let place, playedFrames > place { movements += 1 }
            place = playedFrames
            return movements >= Self.movements
        }
    }
}
