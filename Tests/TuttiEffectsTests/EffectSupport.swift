import Glibc
import TuttiEffects

/// Sound in planes that tests read and write.
final class Sound {
    let channelCount: Int
    let frameCount: Int
    private let memory: UnsafeMutablePointer<Float>
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(_ channels: [[Float]]) {
        channelCount = channels.count
        frameCount = channels[0].count
        memory = .allocate(capacity: channelCount * frameCount)
        table = .allocate(capacity: channelCount)
        for (index, channel) in channels.enumerated() {
            (table + index).initialize(to: memory + index * frameCount)
            for (frame, sample) in channel.enumerated() { (table[index] + frame).initialize(to: sample) }
        }
    }

    deinit {
        memory.deallocate()
        table.deallocate()
    }

    var channels: [[Float]] {
        (0..<channelCount).map { Array(UnsafeBufferPointer(start: table[$0], count: frameCount)) }
    }

    /// Processes all frames in calls of `cuts` frames, over and over.
    func process(_ processor: AudioProcessor, cuts: [Int]) {
        let shifted = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
        defer { shifted.deallocate() }
        var (done, turn) = (0, 0)
        while done < frameCount {
            let count = min(cuts[turn % cuts.count], frameCount - done)
            for channel in 0..<channelCount { (shifted + channel).initialize(to: table[channel] + done) }
            processor.process(Planes(shifted, count: channelCount), frames: count)
            done += count
            turn += 1
        }
    }
}

extension AudioProcessor {
    /// What becomes of `channels`, in calls of `cuts` frames.
    func output(_ channels: [[Float]], cuts: [Int] = [512]) -> [[Float]] {
        let sound = Sound(channels)
        sound.process(self, cuts: cuts)
        return sound.channels
    }
}

/// The same numbers each time (SplitMix64).
struct Noise {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// −1 … 1, all alike.
    mutating func next() -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return Double(Int64(bitPattern: z ^ (z >> 31))) / 9.223_372_036_854_775_8e18
    }

    mutating func samples(_ count: Int, amplitude: Double = 0.5) -> [Float] {
        (0..<count).map { _ in Float(amplitude * next()) }
    }
}

/// Calls of all kinds of lengths.
let oddCuts = [1, 512, 7, 64, 3, 2, 333, 8, 15, 100]

func shape(_ channelCount: Int = 2, rate: Int = 48_000) -> AudioProcessor.Shape {
    AudioProcessor.Shape(sampleRate: rate, channelCount: channelCount, maximumFrames: 512)
}

func decibels(_ linear: Double) -> Double { 20 * log10(linear) }

/// The greatest difference, in dB of full scale.
func difference(_ output: [Float], _ reference: [Double]) -> Double {
    decibels(zip(output, reference).reduce(1e-12) { max($0, abs(Double($1.0) - $1.1)) })
}
