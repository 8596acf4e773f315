extension DACModel {
    /// A fit of the newer readings only, in case that older ones do not belong to them.
    ///
    /// A card may begin at another rate until its loop has locked, count frames ahead that it has only been handed, or
    /// stand and jump. The strip that holds such readings too is higher than the pointer's step, and stays so for as
    /// long as they are in the window. The newer ones alone then fit a strip of one step.
    struct Challenger: Sendable {
        /// Nanoseconds after the beginning at which the first one begins, and the longest that one may last, if it
        /// never wins.
        private static let (first, longest) = (10e6, 2.5e9)
        /// Readings that it needs, steps that they span, and the share of what the other fit spans, up to so many
        /// nanoseconds.
        private static let least = (count: 12, steps: 3.0, share: 0.125, span: 0.5e9)
        /// How much higher than a step the strips of exact readings are, in frames.
        private static let noise = 0.25

        private(set) var fit = StripFit()
        /// Where its readings begin.
        private(set) var begin = 0.0
        private var hasBegun = false

        mutating func append(x: Double, y: Double, after start: Double) {
            precondition(x >= start, "readings come after the beginning")
            let age = x - begin
            if hasBegun ? age >= min(max(begin - start, Self.first), Self.longest) : x - start >= Self.first {
                fit.removeAll()
                (begin, hasBegun) = (x, true)
            }
            if hasBegun { fit.append(x: x, y: y) }
        }

        mutating func removeAll() {
            fit.removeAll()
            (begin, hasBegun) = (0, false)
        }

        /// Whether it fits, and `holder`, which has all readings since `start`, does not.
        func wins(
            against holder: StripFit, since start: Double, at x: Double, step: Double, frame: Double,
            slope: Double, variance: Double
        ) -> Bool {
            let noise = Self.noise * frame
            let span = x - begin
            guard holder.width > step + 2 * noise, hasBegun, fit.count >= Self.least.count,
                span >= max(Self.least.steps * step, min((x - start) * Self.least.share, Self.least.span), Self.first)
            else { return false }
            // A rate that is another one than was remembered, or has been since, is no matter of where readings begin.
            guard holder.leastHeight(at: x) > step + 2 * noise else { return false }
            let height = fit.leastHeight(at: x, slope: slope, variance: variance)
            // Where steps are uneven no strip is as high as one; few readings leave a part of it open.
            return height <= step + noise
                || height + 2 * frame + 8 * holder.width / Double(fit.count) < holder.width
        }
    }
}
