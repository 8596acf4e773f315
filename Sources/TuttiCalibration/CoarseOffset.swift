import TuttiSignal

/// By how many frames one channel is behind the other, coarsely, from long blocks: windows of a fifth of a second alone
/// could not tell one bar of music from the next.
struct CoarseOffset {
    /// What a block says.
    private struct Place {
        var center: Int
        var lag: Int
    }

    private let places: [Place]

    /// Seconds to either side in which the offset is looked for.
    static let range = 0.25
    /// Seconds of a block at most, and from one to the next.
    private static let blockSeconds = 1.5
    private static let hopSeconds = 1.0
    /// The same where the channels seem to be unrelated: whether they are alike further apart.
    private static let wideSeconds = 6.0
    private static let wideRange = 2.0
    private static let wideBlocks = 4
    /// From here on two blocks are alike: chance has a tenth of it in noise. A block of two rooms that drift apart does
    /// not have much more.
    private static let leastLikeness = 0.1
    /// From here on another lag fits nearly as well.
    private static let largestRival = 0.8
    /// The share of blocks that have to say something.
    private static let quorum = 0.25
    /// From here on a block is alike beyond doubt, if only at some lag or other.
    private static let likely = 0.5
    /// Seconds by which blocks that agree differ.
    private static let agreement = 0.004

    /// - Throws: `.unrelated`, `.beyondRange`, or `.tooLittle` where the sound is periodic.
    init(left: [Float], right: [Float], sampleRate: Int, quietest: (left: Double, right: Double))
        throws(MeasurementError)
    {
        let rate = Double(sampleRate)
        let size = min(
            StereoMeasurement.powerOfTwo(upTo: Self.blockSeconds * rate),
            StereoMeasurement.powerOfTwo(upTo: Double(left.count)))
        let estimator = DelayEstimator(size: size, sampleRate: rate)
        var places: [Place] = []
        var (sounding, periodic) = (0, 0)
        for start in stride(from: 0, through: left.count - size, by: Int(Self.hopSeconds * rate)) {
            let range = start..<start + size
            guard left[range].rootMeanSquare > quietest.left, right[range].rootMeanSquare > quietest.right else {
                continue
            }
            sounding += 1
            guard
                let delay = estimator.delay(
                    of: right, behind: left, around: start + size / 2, near: 0,
                    limit: min(Int(Self.range * rate), size / 2 - 1)), delay.likeness > Self.leastLikeness
            else { continue }
            guard delay.rival < Self.largestRival else {
                if delay.likeness > Self.likely { periodic += 1 }
                continue
            }
            places.append(Place(center: start + size / 2, lag: Int(delay.samples.rounded())))
        }
        self.places = places
        let tolerance = Int(Self.agreement * rate)
        let agreeing = places.count { abs($0.lag - lag(at: $0.center)) <= tolerance }
        guard places.count >= 2, Double(places.count) >= Self.quorum * Double(sounding), 2 * agreeing >= places.count
        else {
            if let far = Self.farLag(left, right, rate) { throw .beyondRange(far) }
            if 2 * periodic > sounding { throw .tooLittle(0) }
            throw .unrelated
        }
    }

    /// Frames by which the right channel is behind around a frame: the middle one of what the nearest three blocks say.
    func lag(at center: Int) -> Int {
        var next = places.startIndex
        var end = places.endIndex
        while next < end {
            let middle = (next + end) / 2
            if places[middle].center < center { next = middle + 1 } else { end = middle }
        }
        let first = max(0, min(next - 1, places.count - 3))
        let lags = places[first..<min(places.count, first + 3)].map(\.lag).sorted()
        return lags.isEmpty ? 0 : lags[lags.count / 2]
    }

    /// Seconds by which the right channel is behind, where that is more than the range; nil where nothing says so.
    private static func farLag(_ left: [Float], _ right: [Float], _ rate: Double) -> Double? {
        let size = StereoMeasurement.powerOfTwo(upTo: min(wideSeconds * rate, Double(left.count)))
        let estimator = DelayEstimator(size: size, sampleRate: rate)
        let hop = max(1, (left.count - size) / wideBlocks)
        for start in stride(from: 0, through: left.count - size, by: hop) {
            guard
                let delay = estimator.delay(
                    of: right, behind: left, around: start + size / 2, near: 0,
                    limit: min(Int(wideRange * rate), size / 2 - 1)),
                delay.likeness > leastLikeness, delay.rival < largestRival, abs(delay.samples) > range * rate
            else { continue }
            return delay.samples / rate
        }
        return nil
    }
}
