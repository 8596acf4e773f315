/// Looks for the flashes of the pattern in the brightness of pictures, whose times are the pattern's.
struct FlashSearch {
    private let frames: [LuminanceSample]

    /// Steps of a lag, in seconds.
    private static let step = 0.002
    /// Seconds around a picture whose median is its background: flashes take less than half of them.
    private static let background = 0.6
    /// Flashes that are brighter than this part of all pictures count no more than others.
    private static let ceiling = 0.95
    /// Correlation of brightness and pattern that chance does not reach.
    private static let leastCorrelation = 0.4
    /// Seconds before and after a flash that say how dark it is without it.
    private static let surroundings = 0.12
    /// The least difference that a flash makes.
    private static let leastContrast = 0.01
    /// The part of a flash that noise may be at most.
    private static let mostNoise = 0.25
    /// Pictures by which the lag may be wrong.
    private static let slack = 0.25

    /// - Parameter frames: in order.
    init(_ frames: [LuminanceSample]) { self.frames = frames }

    // MARK: Coarse

    /// Seconds by which the pattern's flashes are late; nil if there are none.
    func lag(within reach: Double) -> Double? {
        let levels = detrended()
        guard !levels.isEmpty else { return nil }
        let mean = levels.reduce(0, +) / Double(levels.count)
        let power = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        guard power > 0 else { return nil }
        let lit = Self.lit()
        let steps = Int(reach / Self.step)
        var correlations: [Double] = []
        for lag in -steps...steps {
            var (shared, count) = (0.0, 0.0)
            for (frame, level) in zip(frames, levels) {
                let place = Int((frame.seconds / Self.step).rounded()) - lag
                guard lit.indices.contains(place), lit[place] else { continue }
                shared += level - mean
                count += 1
            }
            // Brightness 1 where there is a flash, less its mean.
            let size = count * (1 - count / Double(levels.count))
            correlations.append(size > 0 ? shared / (power * size).squareRoot() : 0)
        }
        guard let best = correlations.max(), best >= Self.leastCorrelation else { return nil }
        // The middle of what is as good.
        let good = correlations.indices.filter { correlations[$0] >= best * 0.999 }
        guard let first = good.first, let last = good.last else { return nil }
        return (Double(first + last) / 2 - Double(steps)) * Self.step
    }

    /// Which steps of the pattern are lit.
    private static func lit() -> [Bool] {
        var lit = [Bool](repeating: false, count: Int(FlashPattern.duration / step))
        for instant in FlashPattern.instants {
            let first = Int((instant / step).rounded())
            for index in first..<first + Int(FlashPattern.flashSeconds / step) { lit[index] = true }
        }
        return lit
    }

    /// How much brighter each picture is than its background, up to what flashes usually are.
    private func detrended() -> [Double] {
        var (first, last) = (0, 0)
        let levels = frames.map { frame -> Double in
            while frames[first].seconds < frame.seconds - Self.background { first += 1 }
            while last < frames.count, frames[last].seconds <= frame.seconds + Self.background { last += 1 }
            let around = frames[first..<last].map(\.luminance).sorted()
            return max(0, frame.luminance - around[around.count / 2])
        }
        let sorted = levels.sorted()
        let limit = sorted.isEmpty ? 0 : sorted[Int(Self.ceiling * Double(sorted.count - 1))]
        return levels.map { min($0, limit) }
    }

    // MARK: Fine

    /// What the pictures say about one flash; nil if they do not show it.
    ///
    /// - Parameter interval: seconds from a picture to the next.
    func sighting(of instant: Double, lag: Double, interval: Double) -> FlashSighting? {
        let begin = instant + lag
        let end = begin + FlashPattern.flashSeconds
        let margin = (FlashSighting.longestBlur / 2 + Self.slack) * interval
        let middle = (begin + end) / 2
        guard let before = plateau(from: begin - margin - Self.surroundings, to: begin - margin),
            let early = plateau(from: begin + margin, to: middle + interval / 2),
            let late = plateau(from: middle - interval / 2, to: end - margin),
            let after = plateau(from: end + margin, to: end + margin + Self.surroundings)
        else { return nil }
        let contrast = min(early.level - before.level, late.level - after.level)
        let noise = max(max(before.range, early.range), max(late.range, after.range))
        guard contrast >= Self.leastContrast, noise <= Self.mostNoise * contrast,
            let rise = edge(from: begin - margin, to: begin + margin, dark: before.level, bright: early.level),
            let fall = edge(from: end - margin, to: end + margin, dark: after.level, bright: late.level)
        else { return nil }
        let seen = (rise.last - rise.light + fall.first + fall.light) / 2
        return FlashSighting(
            late: seen - (instant + FlashPattern.flashSeconds / 2), contrast: contrast,
            blur: (rise.blur + fall.blur) / 2)
    }

    /// The mean of pictures that are all dark, or all bright, and how far they usually lie off it.
    private func plateau(from start: Double, to end: Double) -> (level: Double, range: Double)? {
        let levels = span(start, end).map { frames[$0].luminance }
        guard !levels.isEmpty else { return nil }
        let mean = levels.reduce(0, +) / Double(levels.count)
        return (mean, levels.reduce(0) { $0 + abs($1 - mean) } / Double(levels.count))
    }

    /// How much of the time around an edge is bright.
    ///
    /// - Returns: where that time begins and ends, the seconds of it that are bright, and those over which brightness
    ///   changes if it does so evenly: of a ramp, brightness times darkness is a sixth.
    private func edge(
        from start: Double, to end: Double, dark: Double, bright: Double
    ) -> (first: Double, last: Double, light: Double, blur: Double)? {
        let span = span(start, end)
        guard let begin = span.first, let final = span.last, begin > 0, final + 1 < frames.count else { return nil }
        var (light, mixed) = (0.0, 0.0)
        for index in span {
            let part = (frames[index].luminance - dark) / (bright - dark)
            let time = (frames[index + 1].seconds - frames[index - 1].seconds) / 2
            light += part * time
            mixed += part * (1 - part) * time
        }
        return (
            (frames[begin - 1].seconds + frames[begin].seconds) / 2,
            (frames[final].seconds + frames[final + 1].seconds) / 2, light, 6 * mixed
        )
    }

    /// The pictures of a span of time.
    private func span(_ start: Double, _ end: Double) -> Range<Int> {
        let first = index(after: start)
        return first..<max(first, index(after: end))
    }

    /// The number of the first picture at or after a time.
    private func index(after seconds: Double) -> Int {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].seconds < seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
