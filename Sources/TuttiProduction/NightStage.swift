import TuttiChain
import TuttiEffects

/// Night mode over the sound of a timeline: a compressor and a limiter, without delay, and with a crossfade to or from
/// what is not processed. Used by the producer's thread.
final class NightStage {
    /// What is louder than −30 dBFS gets less so by a ratio of 3, and all of it 9 dB louder: a peak at full scale comes
    /// out at −11 dBFS, and what is soft 9 dB louder than it was.
    private static let chain = EffectChain([
        .compressor(
            Compressor(threshold: -30, ratio: 3, knee: 10, attack: 0.01, release: 0.5, makeUpGain: 9)),
        .limiter(Limiter(ceiling: -1, release: 0.1)),
    ])
    private static let blockFrames = 4_096
    /// Seconds of the crossfade.
    private static let crossfade = 0.05

    /// Frames a second.
    let sampleRate: Int
    private let processor: ChainProcessor
    private let memory: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var mode = NightMode(true)
    /// Frames at the front of what comes out next that are silence from before the run.
    private var skipped = 0
    /// Frames that have come out since the run began.
    private var passed = 0
    /// What went in and has not come out, as long as any of it is wanted as it was.
    private var dry: [Float] = []

    /// - Throws: `EffectError` for a sample rate that effects are not made for.
    init(sampleRate: Int) throws(EffectError) {
        self.sampleRate = sampleRate
        processor = try ChainProcessor(
            Self.chain,
            AudioProcessor.Shape(sampleRate: sampleRate, channelCount: 2, maximumFrames: Self.blockFrames))
        memory = .allocate(capacity: 2 * Self.blockFrames)
        memory.initialize(repeating: 0, count: 2 * Self.blockFrames)
        channels = .allocate(capacity: 2)
        channels.initialize(to: memory)
        (channels + 1).initialize(to: memory + Self.blockFrames)
    }

    deinit {
        channels.deallocate()
        memory.deallocate()
    }

    /// Listens to what comes before, of which nothing comes out.
    func listen(to samples: [Float]) { _ = processed(samples) }

    /// Begins a run of sound after what it heard last.
    func begin(_ mode: NightMode) {
        self.mode = mode
        (skipped, passed, dry) = (processor.latency, 0, [])
    }

    /// Frames as they come out: those that went in, each later than in this call by the latency.
    func process(_ samples: [Float]) -> [Float] {
        if mode != NightMode(true) { dry += samples }
        return out(processed(samples))
    }

    /// The last frames of the run.
    func finish() -> [Float] { out(processed([Float](repeating: 0, count: 2 * processor.latency))) }

    private func out(_ samples: [Float]) -> [Float] {
        let dropped = min(skipped, samples.count / 2)
        skipped -= dropped
        var samples = dropped > 0 ? Array(samples.dropFirst(2 * dropped)) : samples
        let count = min(dry.count, samples.count)
        let frames = mode.isOn == mode.wasOn ? 0 : max(1, Int(Self.crossfade * Double(sampleRate)))
        for index in 0..<count {
            let place = passed + index / 2
            let share = place < frames ? (Float(place) + 0.5) / Float(frames) : 1
            let wet = mode.isOn ? share : 1 - share
            samples[index] = samples[index] * wet + dry[index] * (1 - wet)
        }
        dry.removeFirst(count)
        passed += samples.count / 2
        return samples
    }

    private func processed(_ samples: [Float]) -> [Float] {
        var result = samples
        var begin = 0
        while begin < samples.count {
            let frames = min(Self.blockFrames, (samples.count - begin) / 2)
            for frame in 0..<frames {
                memory[frame] = samples[begin + 2 * frame]
                memory[Self.blockFrames + frame] = samples[begin + 2 * frame + 1]
            }
            processor.process(Planes(channels, count: 2), frames: frames)
            for frame in 0..<frames {
                result[begin + 2 * frame] = memory[frame]
                result[begin + 2 * frame + 1] = memory[Self.blockFrames + frame]
            }
            begin += 2 * frames
        }
        return result
    }
}
