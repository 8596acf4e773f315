import CKernels

/// A stereo resampler of any, slowly moving ratio: the source is read at exact fractional positions.
///
/// Source frames are numbered by the caller; the output frame at position p is the source, limited to the band both
/// rates have, at p itself: the filter has no delay, it only needs `lookahead` source frames past p. Around the
/// source there is silence.
///
/// RT after `init`: no allocation, no lock.
package struct DriftResampler: ~Copyable {
    /// Source frames on either side of a position that its output frame is made of; 0 when the filter is bypassed.
    package private(set) var lookahead: Int
    /// True when frames are copied as they are; positions are then whole and the ratio is 1.
    package private(set) var isBypassed: Bool
    /// Whether this processor has the wider instructions; asked once.
    private static let hasWide = tutti_has_wide() != 0
    private let isWide: Bool
    /// Keeps the coefficients; what is needed of it while playing stands below, since a reference is counted.
    private let table: FilterTable
    private let parabolas: UnsafeMutablePointer<Float>
    private let taps: Int
    private let stride: Int
    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>
    private let capacity: Int
    /// The number of the source frame at the window's start.
    private var windowStart: Int64 = 0
    /// Frames in the window.
    private var filled = 0
    /// The whole part of the next output frame's position.
    private var whole: Int64 = 0
    /// The rest of it, 0 ..< 1.
    private var fraction = 0.0

    /// A resampler from `sourceRate` to `outputRate` frames a second; with `bypass`, a copier.
    package init(sourceRate: Double, outputRate: Double, bypass: Bool = false) {
        table = .shared(sourceRate: sourceRate, outputRate: outputRate)
        (parabolas, taps, stride) = (table.parabolas, table.taps, table.stride)
        isBypassed = bypass
        isWide = Self.hasWide
        lookahead = bypass ? 0 : taps / 2
        capacity = taps + 1024
        left = .allocate(capacity: capacity)
        right = .allocate(capacity: capacity)
        left.initialize(repeating: 0, count: capacity)
        right.initialize(repeating: 0, count: capacity)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// The position of the next output frame: the number of a source frame and a rest in 0 ..< 1.
    package var position: (whole: Int64, fraction: Double) { (whole, fraction) }

    /// The number of the source frame that `process` takes next.
    package var nextInput: Int64 { windowStart + Int64(filled) }

    /// Copies frames as they are from now on, or filters them again. What was fed is of no use then: `setPhase` has to
    /// follow.
    package mutating func setBypassed(_ isBypassed: Bool) {
        self.isBypassed = isBypassed
        lookahead = isBypassed ? 0 : taps / 2
    }

    /// Forgets all input. The next output frame is at `whole` + `fraction`; returns the number of the source frame
    /// that must be fed first (frames before it count as silence): `firstAvailable` or what the filter begins with.
    package mutating func setPhase(whole: Int64, fraction: Double, firstAvailable: Int64) -> Int64 {
        self.whole = whole
        self.fraction = isBypassed ? 0 : min(max(0, fraction), 1.0.nextDown)
        windowStart = whole - Int64(max(0, lookahead - 1))
        let silent = min(max(0, firstAvailable - windowStart), Int64(max(0, 2 * lookahead - 1)))
        filled = Int(silent)
        left.update(repeating: 0, count: filled)
        right.update(repeating: 0, count: filled)
        return nextInput
    }

    /// Makes output frames while input lasts.
    ///
    /// The step from one output frame to the next, in source frames, goes from `ratioStart` to `ratioEnd` in a
    /// straight line over `output`. Takes no more input than that needs.
    ///
    /// - Parameters:
    ///   - input: interleaved stereo source frames that follow those fed before.
    ///   - output: room for interleaved stereo frames.
    /// - Returns: source frames taken and output frames made; fewer than asked for when the input ran out.
    package mutating func process(
        input: UnsafeBufferPointer<Float>, output: UnsafeMutableBufferPointer<Float>, ratioStart: Double,
        ratioEnd: Double
    ) -> (consumed: Int, produced: Int) {
        let wanted = output.count / 2
        let available = input.count / 2
        guard wanted > 0, let target = output.baseAddress else { return (0, 0) }
        let slope = (ratioEnd - ratioStart) / Double(wanted)
        var (consumed, produced) = (0, 0)
        while true {
            produced = run(target, from: produced, to: wanted, ratio: ratioStart, slope: slope)
            guard produced < wanted, consumed < available, let source = input.baseAddress else { break }
            discardPassed()
            let remaining = Double(wanted - produced) * max(ratioStart, ratioEnd) + fraction
            let lastNeeded = whole + Int64(min(remaining, 1e6)) + Int64(lookahead)
            let needed = Int(max(1, lastNeeded + 1 - nextInput))
            let count = min(needed, min(available - consumed, capacity - filled))
            guard count > 0 else { break }
            append(source + 2 * consumed, frames: count)
            consumed += count
        }
        return (consumed, produced)
    }

    /// Output frames `from` ..< `to`, as far as the window reaches; returns where it stopped.
    private mutating func run(
        _ output: UnsafeMutablePointer<Float>, from: Int, to: Int, ratio: Double, slope: Double
    ) -> Int {
        var index = from
        while index < to {
            let offset = Int(whole - windowStart)
            guard offset + lookahead < filled else { break }
            if isBypassed {
                output[2 * index] = left[offset]
                output[2 * index + 1] = right[offset]
                whole += 1
            } else {
                let frame = convolve(at: offset - lookahead + 1)
                output[2 * index] = frame.left
                output[2 * index + 1] = frame.right
                fraction += ratio + slope * (Double(index) + 0.5)
                // The fraction is never negative: rounding it down is leaving out what follows the point.
                let step = Int64(fraction)
                whole += step
                fraction -= Double(step)
            }
            index += 1
        }
        return index
    }

    /// One stereo output frame from the `taps` frames at `start` of the window.
    @inline(__always)
    private func convolve(at start: Int) -> tutti_frame {
        let scaled = fraction * Double(FilterTable.segments)
        let segment = min(Int(scaled), FilterTable.segments - 1)
        let u = Float(scaled - Double(segment) - 0.5)
        let row = parabolas + segment * stride
        return isWide
            ? tutti_convolve_wide(row, left + start, right + start, taps, u)
            : tutti_convolve(row, left + start, right + start, taps, u)
    }

    /// Drops window frames that no later output frame needs.
    private mutating func discardPassed() {
        let passed = min(filled, Int(whole - windowStart) - max(0, lookahead - 1))
        guard passed > 0 else { return }
        let kept = filled - passed
        left.update(from: left + passed, count: kept)
        right.update(from: right + passed, count: kept)
        windowStart += Int64(passed)
        filled = kept
    }

    private mutating func append(_ source: UnsafePointer<Float>, frames: Int) {
        var index = 0
        while index < frames {
            left[filled + index] = source[2 * index]
            right[filled + index] = source[2 * index + 1]
            index += 1
        }
        filled += frames
    }
}
