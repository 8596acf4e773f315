import CKernels
import Glibc
package import TuttiChain

/// A limiter that looks ahead: no true peak exceeds the ceiling (ITU-R BS.1770-4, Annex 2), and no sample either.
///
/// All channels are turned down alike. Meters with other filters than the annex's find other peaks between the same
/// frames, up to 0.3 dB higher where loud noise reaches half the sample rate; so the gain aims that far below the
/// ceiling. Non-finite samples count as silence.
package final class LimiterProcessor: AudioProcessor {
    private static let blockFrames = 256
    /// How far below the ceiling peaks are held, in dB.
    private static let headroom = 0.3
    /// Seconds of each of the three means that bend the gain curve.
    private static let bend = 0.000_65

    private let filters: TruePeakFilters
    private let smoother: GainSmoother
    private let ceiling: Float
    private let delay: Int
    /// Frames before the block that stay in a channel's memory, and all of it.
    private let past, stride: Int
    /// The last frames of each channel, one after the other.
    private let memory: UnsafeMutablePointer<Float>
    private let peaks: UnsafeMutablePointer<Float>
    private let gains: UnsafeMutablePointer<Double>

    /// A limiter.
    ///
    /// - Throws: `.settings` for values outside their limits.
    package init(_ settings: Limiter, _ shape: Shape) throws(EffectError) {
        try EffectError.check(.limiter(settings))
        let rate = Double(shape.sampleRate)
        filters = TruePeakFilters()
        smoother = GainSmoother(length: max(4, Int((Self.bend * rate).rounded())), release: settings.release * rate)
        ceiling = Float(pow(10, (settings.ceiling - Self.headroom) / 20))
        delay = TruePeakFilters.taps / 2 + smoother.latency
        past = max(TruePeakFilters.taps - 1, delay)
        stride = past + Self.blockFrames
        memory = .allocate(capacity: shape.channelCount * stride)
        memory.initialize(repeating: 0, count: shape.channelCount * stride)
        peaks = .allocate(capacity: Self.blockFrames)
        peaks.initialize(repeating: 0, count: Self.blockFrames)
        gains = .allocate(capacity: Self.blockFrames)
        gains.initialize(repeating: 1, count: Self.blockFrames)
        super.init(shape)
    }

    deinit {
        memory.deallocate()
        peaks.deallocate()
        gains.deallocate()
    }

    override package var latency: Int { delay }
    override package var tail: Int { delay }

    override package func process(_ planes: Planes, frames: Int) {
        var done = 0
        while done < frames {
            let count = min(Self.blockFrames, frames - done)
            peaks.update(repeating: 0, count: Self.blockFrames)
            var channel = 0
            while channel < shape.channelCount {
                let channelMemory = memory + channel * stride
                (channelMemory + past).update(from: planes[channel] + done, count: count)
                _ = tutti_clean(channelMemory + past, count)
                findPeaks(channelMemory, count)
                channel += 1
            }
            var frame = 0
            while frame < count {
                let peak = peaks[frame]
                gains[frame] = smoother.next(peak > ceiling ? Double(ceiling) / Double(peak) : 1)
                frame += 1
            }
            channel = 0
            while channel < shape.channelCount {
                apply(memory + channel * stride, to: planes[channel] + done, count)
                channel += 1
            }
            done += count
        }
    }

    /// Raises the block's peaks to those of a channel, which were `taps / 2` frames ago.
    @inline(__always)
    private func findPeaks(_ channelMemory: UnsafeMutablePointer<Float>, _ count: Int) {
        let start = channelMemory + past - (TruePeakFilters.taps - 1)
        let greatest = tutti_greatest(start, TruePeakFilters.taps - 1 + count)
        // What cannot reach the ceiling even between frames needs no filter.
        guard greatest * filters.greatestGain > ceiling else { return }
        let before = start + TruePeakFilters.taps / 2 - 1
        var frame = 0
        while frame < count {
            let level = abs(before[frame])
            if level > peaks[frame] { peaks[frame] = level }
            frame += 1
        }
        filters.raise(peaks, samples: start, count: count)
    }

    @inline(__always)
    private func apply(
        _ channelMemory: UnsafeMutablePointer<Float>, to plane: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        let delayed = channelMemory + past - delay
        var frame = 0
        while frame < count {
            plane[frame] = Float(Double(delayed[frame]) * gains[frame])
            frame += 1
        }
        channelMemory.update(from: channelMemory + count, count: past)
    }

    override package func reset() {
        memory.update(repeating: 0, count: shape.channelCount * stride)
        smoother.reset()
    }
}
