import TuttiEffects
import TuttiEngine
import TuttiPlayback

/// An engine as a step of sound processing: what comes in is its input node's, what goes out is its output's. The engine
/// renders in real time, as the thread asks that owns the processor.
final class EngineProcessor: AudioProcessor {
    /// What the input node takes next.
    private final class Offer: @unchecked Sendable {
        // Guard: the thread that processes fills and reads it, inside one call.
        let memory: PlaneMemory
        let frames: UnsafeMutablePointer<Int>

        init(frames count: Int) {
            memory = PlaneMemory(channels: 2, frames: count)
            frames = .allocate(capacity: 1)
            frames.initialize(to: 0)
        }

        deinit { frames.deallocate() }
    }

    private let engine: AudioEngine
    private let block: AudioEngine.ManualRenderingBlock
    private let buffer: PCMBuffer
    private let offer: Offer
    private let lateness: Int

    /// A processor of an engine that is stopped; starts it.
    ///
    /// - Throws: `invalidRendering` when the engine runs already, or its graph cannot be rendered.
    init(_ engine: AudioEngine, _ shape: Shape) throws(PlaybackError) {
        let format = EngineFormat(sampleRate: shape.sampleRate)
        let offer = Offer(frames: shape.maximumFrames)
        do throws(AudioEngineError) {
            engine.stop()
            try engine.enableManualRendering(.realtime, format: format, maximumFrameCount: shape.maximumFrames)
            try engine.inputNode.setManualRenderingInput(format: format) { wanted, planes in
                let count = min(wanted, offer.frames.pointee)
                for channel in 0..<2 {
                    planes[channel].update(from: offer.memory.planes[channel], count: count)
                }
                offer.frames.pointee = 0
                return count
            }
            buffer = try PCMBuffer(format: format, frameCapacity: shape.maximumFrames)
            try engine.start()
            block = try engine.manualRenderingBlock
        } catch {
            throw .invalidRendering("\(error)")
        }
        self.engine = engine
        self.offer = offer
        lateness = engine.inputNode.latencyToOutput
        super.init(shape)
    }

    deinit { engine.stop() }

    override var latency: Int { lateness }

    override func process(_ planes: Planes, frames: Int) {
        for channel in 0..<2 { offer.memory.planes[channel].update(from: planes[channel], count: frames) }
        offer.frames.pointee = frames
        _ = block(frames, buffer)
        for channel in 0..<2 { planes[channel].update(from: buffer.planes[channel], count: frames) }
    }
}
