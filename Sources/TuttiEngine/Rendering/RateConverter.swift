import TuttiEffects
import TuttiRealtime

/// Sample-rate conversion on a connection, in pairs of channels, by a fixed ratio.
///
/// The filter looks `lookahead` source frames ahead, so the output is late by a whole number of output frames, `latency`.
///
/// RT after `init`: no allocation, no lock.
struct RateConverter: ~Copyable {
    /// Output frames that sound is late.
    let latency: Int
    private let ratio: Double
    private let pairCount: Int
    private let resamplers: UnsafeMutablePointer<DriftResampler>
    /// Interleaved source frames of each pair that the filter has not taken yet.
    private let waiting: UnsafeMutablePointer<Float>
    private let waitingCapacity: Int
    private var waitingFrames = 0
    private let made: UnsafeMutablePointer<Float>
    private let channels: Int

    init(channels: Int, from source: Int, to output: Int, sourceCapacity: Int, outputCapacity: Int) {
        self.channels = channels
        ratio = Double(source) / Double(output)
        pairCount = (channels + 1) / 2
        resamplers = .allocate(capacity: pairCount)
        for pair in 0..<pairCount {
            (resamplers + pair).initialize(
                to: DriftResampler(sourceRate: Double(source), outputRate: Double(output)))
        }
        latency = Int((Double(resamplers[0].lookahead) / ratio).rounded(.up))
        waitingCapacity = sourceCapacity + 16
        waiting = .allocate(capacity: 2 * pairCount * waitingCapacity)
        waiting.initialize(repeating: 0, count: 2 * pairCount * waitingCapacity)
        made = .allocate(capacity: 2 * outputCapacity)
        made.initialize(repeating: 0, count: 2 * outputCapacity)
        reset()
    }

    deinit {
        resamplers.deinitialize(count: pairCount)
        resamplers.deallocate()
        waiting.deallocate()
        made.deallocate()
    }

    mutating func reset() {
        var first: Int64 = 0
        let start = -Double(latency) * ratio
        let whole = start.rounded(.down)
        for pair in 0..<pairCount {
            first = resamplers[pair].setPhase(whole: Int64(whole), fraction: start - whole, firstAvailable: 0)
        }
        // The filter may want a frame of the silence before the first one.
        waitingFrames = Int(min(max(0, -first), 8))
        for pair in 0..<pairCount {
            (waiting + 2 * pair * waitingCapacity).update(repeating: 0, count: 2 * waitingFrames)
        }
    }

    /// Source frames that `process` needs for `frames` output frames.
    func demand(_ frames: Int) -> Int {
        guard frames > 0 else { return 0 }
        let resampler = resamplers
        let (whole, fraction) = resampler[0].position
        let last = whole + Int64((fraction + Double(frames - 1) * ratio).rounded(.down))
        // One more than the sum says, since the filter adds up the ratio step by step.
        let needed = last + Int64(resampler[0].lookahead) + 2 - resampler[0].nextInput
        return max(0, Int(needed) - waitingFrames)
    }

    /// Makes `frames` frames from what waits and the `sourceFrames` of `source`, which are what `demand` said.
    mutating func process(_ source: Planes, _ sourceFrames: Int, into output: Planes, frames: Int) {
        let taken = min(sourceFrames, waitingCapacity - waitingFrames)
        var pair = 0
        var consumed = 0
        while pair < pairCount {
            let base = waiting + 2 * pair * waitingCapacity
            let left = 2 * pair
            let right = min(left + 1, channels - 1)
            Self.interleave(source[left], source[right], base + 2 * waitingFrames, taken)
            let result = resamplers[pair].process(
                input: UnsafeBufferPointer(start: base, count: 2 * (waitingFrames + taken)),
                output: UnsafeMutableBufferPointer(start: made, count: 2 * frames), ratioStart: ratio, ratioEnd: ratio)
            consumed = result.consumed
            if result.produced < frames {
                (made + 2 * result.produced).update(repeating: 0, count: 2 * (frames - result.produced))
            }
            base.update(from: base + 2 * consumed, count: 2 * (waitingFrames + taken - consumed))
            var frame = 0
            while frame < frames {
                output[left][frame] = made[2 * frame]
                if right != left { output[right][frame] = made[2 * frame + 1] }
                frame &+= 1
            }
            pair += 1
        }
        waitingFrames += taken - consumed
    }

    private static func interleave(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ output: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        var frame = 0
        while frame < frames {
            output[2 * frame] = left[frame]
            output[2 * frame + 1] = right[frame]
            frame &+= 1
        }
    }
}
