import Glibc
import Synchronization
import TuttiCore
import TuttiEngine

/// A file in memory.
final class MemoryFile: AudioFileReading, @unchecked Sendable {
    struct Broken: Error {}

    let format: EngineFormat
    let channels: [[Float]]
    /// The frame at which reading fails.
    let failsAt: Int?
    private var position = 0

    init(_ channels: [[Float]], sampleRate: Int = 48_000, failsAt: Int? = nil) {
        self.channels = channels
        self.failsAt = failsAt
        format = EngineFormat(sampleRate: sampleRate, channelCount: channels.count)
    }

    var length: Int64 { Int64(channels[0].count) }

    func read(frameCount: Int) throws -> PCMBlock {
        let end = min(position + frameCount, channels[0].count)
        if let failsAt, end > failsAt { throw Broken() }
        var samples: [Float] = []
        for frame in position..<end { for channel in channels { samples.append(channel[frame]) } }
        position = end
        return PCMBlock(samples: samples, channelCount: channels.count, sampleRate: format.sampleRate)
    }

    func seek(to frame: Int64) { position = Int(frame) }
}

/// Handlers' calls, in order.
final class Log: Sendable {
    private let entries = Mutex<[String]>([])

    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
}

/// Frames that handlers have got.
final class Recorder: Sendable {
    private let samples = Mutex<[Float]>([])

    func add(_ new: [Float]) { samples.withLock { $0 += new } }
    var all: [Float] { samples.withLock { $0 } }
}

let stereo = EngineFormat(sampleRate: 48_000)
let mono = EngineFormat(sampleRate: 48_000, channelCount: 1)

func sine(_ frequency: Double, _ frames: Int, rate: Double = 48_000, level: Double = 0.5, phase: Double = 0) -> [Float]
{
    (0..<frames).map { Float(level * sin(2 * .pi * frequency * Double($0) / rate + phase)) }
}

/// The same noise for the same seed, −0.5 … 0.5.
func noise(_ frames: Int, seed: UInt64) -> [Float] {
    var generator = SplitMix(seed: seed)
    return (0..<frames).map { _ in Float(Double(generator.next() >> 11) / Double(1 << 53) - 0.5) }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

func buffer(_ channels: [[Float]], rate: Int = 48_000) throws -> PCMBuffer {
    let result = try PCMBuffer(
        format: EngineFormat(sampleRate: rate, channelCount: channels.count), frameCapacity: max(1, channels[0].count))
    result.frameLength = channels[0].count
    for (index, channel) in channels.enumerated() { _ = result.channel(index).update(fromContentsOf: channel) }
    return result
}

/// An engine that renders offline.
func offlineEngine(_ format: EngineFormat = stereo, maximum: Int = 4_096) throws -> AudioEngine {
    let engine = AudioEngine()
    try engine.enableManualRendering(.offline, format: format, maximumFrameCount: maximum)
    return engine
}

extension AudioEngine {
    /// Renders so many frames in calls of these sizes, again and again.
    func render(_ frames: Int, by sizes: [Int] = [480]) throws -> [[Float]] {
        let format = manualRenderingFormat ?? stereo
        let buffer = try PCMBuffer(format: format, frameCapacity: manualRenderingMaximumFrameCount)
        var result = [[Float]](repeating: [], count: format.channelCount)
        var (done, call) = (0, 0)
        while done < frames {
            let count = min(sizes[call % sizes.count], frames - done)
            guard try renderOffline(count, to: buffer) == .success else { break }
            for channel in result.indices { result[channel] += buffer.channel(channel) }
            done += count
            call += 1
        }
        return result
    }
}

/// The most that the slope changes from one frame to the next: what a click has much of.
func sharpness(_ samples: some Collection<Float>) -> Float {
    let samples = Array(samples)
    guard samples.count > 2 else { return 0 }
    var most: Float = 0
    for index in 2..<samples.count {
        let bend: Float = samples[index] - 2 * samples[index - 1] + samples[index - 2]
        most = max(most, abs(bend))
    }
    return most
}
