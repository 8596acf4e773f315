import CKernels
package import TuttiChain

/// The effects of a chain, one after the other.
///
/// Non-finite samples stop at its edges: in the input they count as silence; where any come out, they become silence
/// and all effects forget what they heard, so that nothing stays poisoned. While it computes, numbers too small to be
/// normal are 0. A chain without effects leaves finite sound as it is, bit for bit.
package final class ChainProcessor: AudioProcessor {
    /// Keeps what `steps` points to.
    private let processors: [AudioProcessor]
    private let steps: UnsafeMutablePointer<Unmanaged<AudioProcessor>>
    private let count: Int
    /// The planes of the effects: the caller's, then own ones where a matrix in the middle has more channels.
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let outerCount, innerCount: Int
    private let own: UnsafeMutablePointer<Float>
    private let counter: UnsafeMutablePointer<Int>
    private let totalLatency, totalTail: Int

    /// A chain's effects.
    ///
    /// - Parameter impulses: impulse responses by the names that the chain's convolutions have.
    /// - Throws: `.settings` where the chain is not valid, otherwise what the effects throw.
    package init(
        _ chain: EffectChain, impulses: [String: ImpulseResponse] = [:], _ shape: Shape
    ) throws(EffectError) {
        do { try chain.validate() } catch { throw .settings(error) }
        var made: [AudioProcessor] = []
        var inner = shape
        var most = shape.channelCount
        for effect in chain.effects {
            let processor = try AudioProcessor.processor(for: effect, impulses: impulses, inner)
            made.append(processor)
            inner.channelCount = processor.outputChannelCount
            most = max(most, inner.channelCount)
        }
        processors = made
        count = made.count
        steps = .allocate(capacity: max(1, made.count))
        for (index, processor) in made.enumerated() {
            (steps + index).initialize(to: Unmanaged.passUnretained(processor))
        }
        totalLatency = made.reduce(0) { $0 + $1.latency }
        totalTail = made.reduce(0) { total, processor in
            let (sum, isTooMuch) = total.addingReportingOverflow(processor.tail)
            return isTooMuch ? Int.max : sum
        }
        outerCount = max(shape.channelCount, inner.channelCount)
        innerCount = most
        own = .allocate(capacity: max(1, (most - outerCount) * shape.maximumFrames))
        own.initialize(repeating: 0, count: max(1, (most - outerCount) * shape.maximumFrames))
        table = .allocate(capacity: most)
        for channel in 0..<most {
            (table + channel).initialize(to: own + max(0, channel - outerCount) * shape.maximumFrames)
        }
        counter = .allocate(capacity: 1)
        counter.initialize(to: 0)
        super.init(shape, outputChannelCount: inner.channelCount)
    }

    deinit {
        steps.deallocate()
        table.deallocate()
        own.deallocate()
        counter.deallocate()
    }

    /// Non-finite samples so far, of the input and of the output; for the thread that processes.
    package var nonFiniteCount: Int { counter.pointee }

    override package var latency: Int { totalLatency }
    override package var tail: Int { totalTail }

    override package func process(_ planes: Planes, frames: Int) {
        let mode = tutti_denormals_flush()
        _ = clean(planes, channelCount: shape.channelCount, frames: frames)
        var channel = 0
        while channel < outerCount {
            table[channel] = planes[channel]
            channel += 1
        }
        let inner = Planes(table, count: innerCount)
        var step = 0
        while step < count {
            steps[step]._withUnsafeGuaranteedRef { $0.process(inner, frames: frames) }
            step += 1
        }
        if clean(planes, channelCount: outputChannelCount, frames: frames) > 0 { reset() }
        tutti_denormals_restore(mode)
    }

    private func clean(_ planes: Planes, channelCount: Int, frames: Int) -> Int {
        var found = 0
        var channel = 0
        while channel < channelCount {
            found &+= tutti_clean(planes[channel], frames)
            channel += 1
        }
        counter.pointee &+= found
        return found
    }

    override package func reset() {
        var step = 0
        while step < count {
            steps[step]._withUnsafeGuaranteedRef { $0.reset() }
            step += 1
        }
    }
}
