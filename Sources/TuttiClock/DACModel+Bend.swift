extension DACModel {
    /// Notices that a card, or the host's clock that it is compared with, has changed its rate at once.
    ///
    /// The fit itself cannot: its strip grows with the bend and holds all readings still, and its prior knows that
    /// rates do not jump. So new readings are held against a line of some seconds ago, by which they should lie in a
    /// strip as high as then.
    struct Bend: Sendable {
        /// How old the line is at least, in nanoseconds; at most it is twice as old where the strip does not grow.
        private static let age = 8e9
        /// A strip that has grown by so large a share, and two frames, holds a bend, perhaps; such a line is no measure
        /// until the one before is so many nanoseconds old.
        private static let (growth, ageWithGrowth) = (0.05, 24e9)
        /// Readings off that line, of the last 32, that mean another rate. Where the pointer moves in steps most are
        /// still among those that a step allows.
        private static let leastOutliers = 6

        private var newer: (line: LineState, height: Double)?
        private var older: (line: LineState, height: Double)?
        /// Which of the last readings were off, a bit each.
        private var outliers: UInt32 = 0

        /// Whether too many readings, of which this is the newest, are off the line of before.
        ///
        /// - Parameter frame: what readings may be off besides, in nanoseconds.
        mutating func isShown(x: Double, y: Double, frame: Double) -> Bool {
            guard let reference = older ?? newer, reference.line.x < x else { return false }
            let line = reference.line.moved(to: x, wander: DACModel.wander)
            let margin = 6 * line.valueVariance.squareRoot() + 2 * frame
            let late = line.value - y
            outliers = outliers << 1 | (late < -margin || late > reference.height + margin ? 1 : 0)
            return outliers.nonzeroBitCount >= Self.leastOutliers
        }

        /// Takes the line as it is now, for later.
        ///
        /// - Parameters:
        ///   - height: that of the strip that holds all readings, at least the pointer's step.
        ///   - frame: how long one lasts, in nanoseconds.
        mutating func note(_ line: LineState, height: Double, frame: Double) {
            if let newer {
                let hasGrown = height > newer.height * (1 + Self.growth) + 2 * frame
                guard line.x - newer.line.x >= (hasGrown ? Self.ageWithGrowth : Self.age) else { return }
            }
            (older, newer) = (newer, (line, height))
        }
    }
}
