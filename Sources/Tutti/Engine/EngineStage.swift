import TuttiEffects
import TuttiEngine

/// An engine that sound goes through long before it is heard, as fast as it can. Used by one thread at a time.
///
/// What comes out belongs to the frames that went in: what the engine is late by is held back, and comes with `finish`.
final class EngineStage {
    /// Frames of a call to the engine.
    private static let maximumFrames = 4_096

    private let engine: AudioEngine
    private let memory = PlaneMemory(channels: 2, frames: maximumFrames)
    private var processor: EngineProcessor?
    /// Frames yet to come out that stand for nothing that went in.
    private var early = 0

    init(_ engine: AudioEngine) { self.engine = engine }

    /// Sees whether an engine can be used.
    ///
    /// - Throws: `invalidRendering`.
    static func check(_ engine: AudioEngine) throws(PlaybackError) {
        _ = try EngineProcessor(engine, shape(sampleRate: 48_000))
    }

    private static func shape(sampleRate: Int) -> AudioProcessor.Shape {
        AudioProcessor.Shape(sampleRate: sampleRate, channelCount: 2, maximumFrames: maximumFrames)
    }

    /// Begins another sound. At a rate at which the engine's graph cannot be rendered, sound stays as it is.
    func begin(sampleRate: Int) {
        if processor?.shape.sampleRate == sampleRate {
            engine.reset()
        } else {
            // The one before stops the engine when it goes.
            processor = nil
            processor = try? EngineProcessor(engine, Self.shape(sampleRate: sampleRate))
        }
        early = processor?.latency ?? 0
    }

    /// Interleaved stereo in, and out of it what can be said yet.
    func process(_ samples: [Float]) -> [Float] {
        guard let processor else { return samples }
        // As many as go in come out, less what is early.
        let total = samples.count / 2
        let skipped = min(early, total)
        early -= skipped
        var frames = samples
        frames.withUnsafeMutableBufferPointer { frames in
            guard let frames = frames.baseAddress else { return }
            for start in stride(from: 0, to: total, by: Self.maximumFrames) {
                let count = min(total - start, Self.maximumFrames)
                memory.planes.take(stereo: frames + 2 * start, frames: count)
                processor.process(memory.planes, frames: count)
                memory.planes.interleave(into: frames + 2 * start, frames: count)
            }
        }
        return skipped == 0 ? frames : Array(frames[(2 * skipped)...])
    }

    /// What is held back.
    func finish() -> [Float] { process([Float](repeating: 0, count: 2 * (processor?.latency ?? 0))) }
}
