package import TuttiChain

/// Mixes channels into others, each output from all inputs.
package final class MatrixProcessor: AudioProcessor {
    private static let blockFrames = 64

    /// Output after output, one gain for each input.
    private let gains: UnsafeMutablePointer<Double>
    /// A block of the inputs, channel by channel, then the sum.
    private let block: UnsafeMutablePointer<Double>

    /// A mix by `matrix`.
    ///
    /// - Throws: `.settings` where it is no matrix, `.matrixMismatch` where it has not one input for each channel.
    package init(_ matrix: ChannelMatrix, _ shape: Shape) throws(EffectError) {
        try EffectError.check(.channels(matrix))
        guard matrix.inputCount == shape.channelCount else {
            throw .matrixMismatch(inputs: matrix.inputCount, sound: shape.channelCount)
        }
        let all = matrix.gains.flatMap { $0 }
        gains = .allocate(capacity: all.count)
        for (index, gain) in all.enumerated() { (gains + index).initialize(to: gain) }
        let room = (matrix.inputCount + 1) * Self.blockFrames
        block = .allocate(capacity: room)
        block.initialize(repeating: 0, count: room)
        super.init(shape, outputChannelCount: matrix.outputCount)
    }

    deinit {
        gains.deallocate()
        block.deallocate()
    }

    override package func process(_ planes: Planes, frames: Int) {
        var done = 0
        while done < frames {
            let count = min(Self.blockFrames, frames - done)
            mix(planes, from: done, count: count)
            done += count
        }
    }

    private func mix(_ planes: Planes, from start: Int, count: Int) {
        let inputCount = shape.channelCount
        var input = 0
        while input < inputCount {
            let (plane, copy) = (planes[input] + start, block + input * Self.blockFrames)
            var frame = 0
            while frame < count {
                copy[frame] = Double(plane[frame])
                frame += 1
            }
            input += 1
        }
        let sum = block + inputCount * Self.blockFrames
        var output = 0
        while output < outputChannelCount {
            sum.update(repeating: 0, count: count)
            input = 0
            while input < inputCount {
                let gain = gains[output * inputCount + input]
                if gain != 0 { Self.add(block + input * Self.blockFrames, times: gain, to: sum, count) }
                input += 1
            }
            let plane = planes[output] + start
            var frame = 0
            while frame < count {
                plane[frame] = Float(sum[frame])
                frame += 1
            }
            output += 1
        }
    }

    @inline(__always)
    private static func add(
        _ source: UnsafePointer<Double>, times gain: Double, to sum: UnsafeMutablePointer<Double>, _ count: Int
    ) {
        var frame = 0
        while frame < count {
            sum[frame] += gain * source[frame]
            frame += 1
        }
    }
}
