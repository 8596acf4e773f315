import CKernels
import Glibc
package import TuttiChain

/// Convolution with an impulse response, in partitions of growing size; in double precision within.
///
/// Work on large partitions is spread evenly over the frames of one, and what is done when depends on the number of
/// frames since the start alone: the output is the same however it is cut into calls.
package final class ConvolutionProcessor: AudioProcessor {
    /// Whether this processor has the wider instructions; asked once.
    private static let hasWide = tutti_has_wide() != 0

    private let isWide: Bool
    private let taps: Int
    private let partitionLatency: Int
    private let impulseDelay: Int
    private let blockSize: Int
    private let head: ConvolutionHead
    private let stretches: UnsafeMutablePointer<ConvolutionStretch>
    private let stretchCount: Int
    /// The last frames of input: for each channel a ring of `mask` + 1 frames.
    private let input: UnsafeMutablePointer<Float>
    private let mask: Int
    /// For each channel the sums of the stretches, for the block that is heard.
    private let sums: UnsafeMutablePointer<Double>
    /// Frames since the start.
    private var position = 0

    /// A convolution.
    ///
    /// - Parameters:
    ///   - impulse: one channel for all of the sound's, or as many; at any rate.
    ///   - compensatesDelay: whether the impulse's own delay counts as latency, so that a linear-phase filter leaves
    ///     sound where it is for whoever makes up for latencies.
    /// - Throws: `EffectError.settings` for a gain outside its limits, `.unusableImpulse` for a response that is silent,
    ///   has values that are not numbers, or is too long at this rate, `.channelMismatch`.
    package init(
        _ impulse: ImpulseResponse, settings: Convolution, _ shape: Shape, compensatesDelay: Bool = true
    ) throws(EffectError) {
        let channels = try impulse.coefficients(for: settings, shape: shape)
        let taps = channels[0].count
        let layout = ConvolutionLayout(
            taps: taps, maximumFrames: shape.maximumFrames, hasZeroLatency: settings.hasZeroLatency)
        isWide = Self.hasWide
        self.taps = taps
        partitionLatency = layout.latency
        let shift = impulse.resamplingDelay(at: shape.sampleRate)
        impulseDelay = compensatesDelay ? impulse.delay(at: shape.sampleRate) : shift
        blockSize = layout.blockSize
        head = ConvolutionHead(
            channels, count: layout.directCount, blockSize: layout.blockSize, channelCount: shape.channelCount)
        stretchCount = layout.stretches.count
        stretches = .allocate(capacity: max(1, layout.stretches.count))
        for (index, stretch) in layout.stretches.enumerated() {
            (stretches + index).initialize(
                to: ConvolutionStretch(stretch, of: channels, channelCount: shape.channelCount))
        }
        // Two blocks are transformed while a third comes in.
        let ring = 4 * (layout.stretches.last?.size ?? layout.blockSize)
        mask = ring - 1
        input = .allocate(capacity: ring * shape.channelCount)
        input.initialize(repeating: 0, count: ring * shape.channelCount)
        sums = .allocate(capacity: layout.blockSize * shape.channelCount)
        sums.initialize(repeating: 0, count: layout.blockSize * shape.channelCount)
        super.init(shape)
    }

    deinit {
        for index in 0..<stretchCount { stretches[index].deallocate() }
        stretches.deallocate()
        head.deallocate()
        input.deallocate()
        sums.deallocate()
    }

    /// A partition, or none; and the impulse's own delay where it is to be made up for. A response of another rate is
    /// some 50 frames later, whatever the settings say: its beginning rings before it.
    package override var latency: Int { partitionLatency + impulseDelay }

    /// The impulse's length, and a partition.
    package override var tail: Int { partitionLatency + taps - 1 }

    package override func process(_ planes: Planes, frames: Int) {
        var done = 0
        while done < frames {
            let fill = position & (blockSize - 1)
            let count = min(frames - done, blockSize - fill)
            var channel = 0
            while channel < shape.channelCount {
                processChannel(channel, planes[channel] + done, count: count, fill: fill)
                channel += 1
            }
            done += count
            position += count
            if fill + count == blockSize { finishBlock() }
        }
    }

    /// Frames within one block: taken into the ring, and replaced.
    @inline(__always)
    private func processChannel(_ channel: Int, _ frames: UnsafeMutablePointer<Float>, count: Int, fill: Int) {
        (input + channel * (mask + 1) + position & mask).update(from: frames, count: count)
        let sum = sums + channel * blockSize + fill
        if head.count > 0 {
            head.process(channel, frames, count: count, fill: fill, sum: sum, isWide: isWide)
        } else {
            var index = 0
            while index < count {
                frames[index] = Float(sum[index])
                index += 1
            }
        }
    }

    /// A block of input is complete: the next block's sums are made, and a share of the work for later ones.
    private func finishBlock() {
        head.finishBlock()
        guard stretchCount > 0 else { return }
        stretches[0].begin(at: position)
        stretches[0].work(upTo: 1, of: 1, input: input, mask: mask)
        var channel = 0
        while channel < shape.channelCount {
            (sums + channel * blockSize).update(from: stretches[0].made(channel), count: blockSize)
            channel += 1
        }
        var index = 1
        while index < stretchCount {
            let size = stretches[index].size
            let phase = position & (size - 1)
            if phase == 0 { stretches[index].begin(at: position) }
            stretches[index].work(
                upTo: phase / blockSize + 1, of: size / blockSize, input: input, mask: mask)
            channel = 0
            while channel < shape.channelCount {
                add(stretches[index].heard(channel) + phase, to: sums + channel * blockSize)
                channel += 1
            }
            index += 1
        }
    }

    @inline(__always)
    private func add(_ source: UnsafePointer<Double>, to sum: UnsafeMutablePointer<Double>) {
        var frame = 0
        while frame < blockSize {
            sum[frame] += source[frame]
            frame += 1
        }
    }

    package override func reset() {
        position = 0
        head.reset()
        var index = 0
        while index < stretchCount {
            stretches[index].reset()
            index += 1
        }
        input.update(repeating: 0, count: (mask + 1) * shape.channelCount)
        sums.update(repeating: 0, count: blockSize * shape.channelCount)
    }
}
