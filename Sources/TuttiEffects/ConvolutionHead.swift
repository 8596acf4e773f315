import CKernels

/// The first coefficients of a convolution, computed as they are written, so that nothing is late.
///
/// RT after `init`: plain pointers; whoever made it calls `deallocate` when nothing uses it any more.
struct ConvolutionHead {
    /// Outputs that are computed at once; memory reaches that far past a block.
    private static let lanes = 16

    /// Coefficients; may be 0.
    let count: Int
    private let blockSize: Int
    private let channelCount: Int
    private let impulseChannelCount: Int
    private let coefficients: UnsafeMutablePointer<Double>
    /// For each channel: `count` − 1 frames before the block, then the block.
    private let history: UnsafeMutablePointer<Double>
    private let stride: Int
    private let output: UnsafeMutablePointer<Double>

    /// The first `count` of the channels' coefficients.
    init(_ channels: [[Double]], count: Int, blockSize: Int, channelCount: Int) {
        self.count = count
        self.blockSize = blockSize
        self.channelCount = channelCount
        impulseChannelCount = channels.count
        coefficients = .allocate(capacity: max(1, channels.count * count))
        for (channel, taps) in channels.enumerated() {
            for tap in 0..<count { (coefficients + channel * count + tap).initialize(to: taps[tap]) }
        }
        stride = count + blockSize + Self.lanes
        history = .allocate(capacity: channelCount * stride)
        history.initialize(repeating: 0, count: channelCount * stride)
        output = .allocate(capacity: blockSize + Self.lanes)
        output.initialize(repeating: 0, count: blockSize + Self.lanes)
    }

    func deallocate() {
        coefficients.deallocate()
        history.deallocate()
        output.deallocate()
    }

    /// Replaces `frames`, which begin at `fill` of their block, by their convolution and `sum`.
    @inline(__always)
    func process(
        _ channel: Int, _ frames: UnsafeMutablePointer<Float>, count frameCount: Int, fill: Int,
        sum: UnsafePointer<Double>, isWide: Bool
    ) {
        let first = history + channel * stride + count - 1 + fill
        let taps = coefficients + (impulseChannelCount == 1 ? 0 : channel) * count
        var index = 0
        while index < frameCount {
            first[index] = Double(frames[index])
            index += 1
        }
        if isWide {
            tutti_direct_wide(taps, count, first, output, frameCount)
        } else {
            tutti_direct(taps, count, first, output, frameCount)
        }
        index = 0
        while index < frameCount {
            frames[index] = Float(output[index] + sum[index])
            index += 1
        }
    }

    /// Moves what the next block's first outputs need before it.
    @inline(__always)
    func finishBlock() {
        guard count > 1 else { return }
        var channel = 0
        while channel < channelCount {
            let start = history + channel * stride
            start.update(from: start + blockSize, count: count - 1)
            channel += 1
        }
    }

    /// Forgets all input.
    func reset() { history.update(repeating: 0, count: channelCount * stride) }
}
