import Glibc
package import TuttiSignal

/// Finds how far two rooms are apart from a stereo recording with one room on each channel, while both play the same.
///
/// The channels are compared with each other, window by window; what is played does not matter, as long as it is the
/// same. Both are taken by one clock, so the recorder's rate cancels: 100 ppm of it change an offset of 100 µs by 0.01
/// µs.
package struct StereoMeasurement: Sendable {
    /// Windows that say nothing about time, by why.
    package struct LeftOut: Sendable, Equatable, Encodable {
        /// One of the channels is quiet there.
        package var quiet = 0
        /// The channels do not hold the same.
        package var unlike = 0
        /// The sound is periodic, and fits at several lags.
        package var ambiguous = 0
        /// There is so much noise, or so little sound, that other windows say far more.
        package var vague = 0

        /// All of them.
        package var count: Int { quiet + unlike + ambiguous + vague }
    }

    /// By how much the right channel is behind the left one in each window that tells.
    package let offsets: [TimedOffset]
    /// The standard error of each, in µs.
    package let uncertainties: [Double]
    /// Windows that do not tell.
    package let leftOut: LeftOut
    /// Seconds of a window.
    package let windowSeconds: Double
    /// The share of clipped samples, of the channel with more of them.
    package let clippedShare: Double
    /// Whether one channel has the other's polarity turned round.
    package let isInverted: Bool
    /// µs that the method itself may be off, beyond noise.
    package let floor: Double

    /// The shortest recording that is looked at, in seconds.
    package static let shortest = 3.0
    /// The longest one, in seconds.
    package static let longest = 900.0
    /// Frames a second that can be measured.
    package static let sampleRates = 16_000...384_000
    /// Seconds from one window to the next.
    package static let hopSeconds = 0.1

    /// Seconds of a window at most.
    private static let windowLimit = 0.25
    /// Seconds around the coarse offset in which a window's is looked for.
    private static let reach = 0.004
    /// From here on two windows are alike, as in the laboratory.
    private static let leastLikeness = 0.35
    /// From here on another lag fits as well.
    private static let largestRival = 0.9
    /// −45 dB of the loudest: what is quieter is the end of a sound, and the recorder's noise.
    private static let quietestShare = 0.0056
    /// A window's standard error may be so many times the usual one.
    private static let vagueness = 3.0
    /// Windows that there must be.
    private static let fewest = 10
    /// Frames by which the estimator is off without noise.
    private static let bias = 0.0001

    /// Looks at a recording.
    ///
    /// - Parameters:
    ///   - left: the samples of the first room, full scale at ±1; of `longest` seconds at most.
    ///   - right: as many of the second one.
    /// - Throws: why it does not tell.
    package init(left: [Float], right: [Float], sampleRate: Int) throws(MeasurementError) {
        guard Self.sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
        let rate = Double(sampleRate)
        let count = min(left.count, right.count, Int(Self.longest * rate))
        guard Double(count) >= Self.shortest * rate else { throw .tooShort(Double(count) / rate) }
        let left = Self.clean(left.prefix(count))
        var right = Self.clean(right.prefix(count))
        var isInverted = false
        let check = try ChannelCheck(left: left, right: right, sampleRate: sampleRate)
        let quietest = (
            left: max(ChannelCheck.quietest, Self.quietestShare * check.loudest.left),
            right: max(ChannelCheck.quietest, Self.quietestShare * check.loudest.right)
        )
        let coarse: CoarseOffset
        do throws(MeasurementError) {
            coarse = try CoarseOffset(left: left, right: right, sampleRate: sampleRate, quietest: quietest)
        } catch {
            // An amplifier or a balanced cable may turn the polarity of one room round.
            let turned = right.map { -$0 }
            guard error == .unrelated,
                let found = try? CoarseOffset(left: left, right: turned, sampleRate: sampleRate, quietest: quietest)
            else { throw error }
            coarse = found
            right = turned
            isInverted = true
        }

        let size = Self.powerOfTwo(upTo: Self.windowLimit * rate)
        let estimator = DelayEstimator(size: size, sampleRate: rate)
        var leftOut = LeftOut()
        var found: [(time: Double, delay: DelayEstimator.Delay)] = []
        for center in stride(from: size / 2, through: count - size / 2, by: Int(Self.hopSeconds * rate)) {
            // Judged by the window's middle: of what lies at its edges alone, the time would be that of the cut.
            let middle = center - size / 4..<center + size / 4
            guard left[middle].rootMeanSquare > quietest.left, right[middle].rootMeanSquare > quietest.right else {
                leftOut.quiet += 1
                continue
            }
            guard
                let delay = estimator.delay(
                    of: right, behind: left, around: center, near: coarse.lag(at: center),
                    limit: Int(Self.reach * rate))
            else { continue }
            if delay.likeness < Self.leastLikeness || !delay.uncertainty.isFinite {
                leftOut.unlike += 1
            } else if delay.rival > Self.largestRival {
                leftOut.ambiguous += 1
            } else {
                let start = center - size / 2
                found.append((Double(start) + Self.moment(of: left[start..<start + size]), delay))
            }
        }
        let usual = found.map(\.delay.uncertainty).sorted()
        let limit = usual.isEmpty ? 0 : max(Self.vagueness * usual[usual.count / 2], 100 * Self.bias)
        let clear = found.filter { $0.delay.uncertainty <= limit }
        leftOut.vague = found.count - clear.count
        guard clear.count >= Self.fewest else { throw .tooLittle(clear.count) }
        let microseconds = 1e6 / rate
        offsets = clear.map { TimedOffset(seconds: $0.time / rate, microseconds: $0.delay.samples * microseconds) }
        uncertainties = clear.map { $0.delay.uncertainty * microseconds }
        self.leftOut = leftOut
        self.isInverted = isInverted
        windowSeconds = Double(size) / rate
        clippedShare = max(check.clipped.left, check.clipped.right)
        floor = Self.bias * microseconds
    }

    /// What the offsets come to.
    package var statistics: OffsetStatistics {
        OffsetStatistics(offsets, uncertainties: uncertainties, floor: floor)
    }

    /// The frame of a window that its offset is that of, where rooms drift: the middle of what it sounds. High
    /// frequencies, which say most about time, count as the samples' differences, and the estimator's window as it does
    /// there.
    private static func moment(of window: ArraySlice<Float>) -> Double {
        let unit = Double.pi / Double(window.count)
        var (energy, moment) = (0.0, 0.0)
        for (place, pair) in zip(window, window.dropFirst()).enumerated() {
            let shape = sin(unit * (Double(place) + 1))
            let step = Double(pair.1 - pair.0) * shape * shape
            energy += step * step
            moment += step * step * (Double(place) + 1)
        }
        return energy > 0 ? moment / energy : Double(window.count) / 2
    }

    private static func clean(_ samples: ArraySlice<Float>) -> [Float] {
        samples.map { $0.isFinite ? min(max($0, -16), 16) : 0 }
    }

    /// The largest power of two that is no more than `limit`, at least 2.
    static func powerOfTwo(upTo limit: Double) -> Int {
        var size = 2
        while Double(size * 2) <= limit { size *= 2 }
        return size
    }
}
