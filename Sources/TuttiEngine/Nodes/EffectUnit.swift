import TuttiEffects

/// The render thread's half of an effect node.
final class EffectUnit: RenderUnit, @unchecked Sendable {
    let slot: ProcessorSlot
    private let silence: PlaneMemory
    private let version: Int

    init(_ shape: UnitShape, _ processor: AudioProcessor?, version: Int) {
        let planeCount = max(shape.inputChannelCount, shape.format.channelCount)
        self.version = version
        slot = ProcessorSlot(
            processor, sampleRate: shape.format.sampleRate, planeCount: planeCount,
            maximumFrames: Self.processorShape(shape).maximumFrames)
        silence = PlaneMemory(channels: shape.inputChannelCount, frames: shape.capacity)
        super.init(shape, planeCount: planeCount)
    }

    /// What processors for a unit of `shape` are made for.
    static func processorShape(_ shape: UnitShape) -> AudioProcessor.Shape {
        AudioProcessor.Shape(
            sampleRate: shape.format.sampleRate, channelCount: shape.inputChannelCount,
            maximumFrames: min(shape.capacity, 8_192))
    }

    /// Whether `newest` settings are other ones than the unit was made with.
    func isOlder(than newest: Int) -> Bool { newest != version }

    override var latency: Int { slot.latency }

    override func render(_ call: RenderCall) {
        var input = silence.planes
        if let inputs = call.inputs, call.inputCount > 0 { input = inputs[0].planes }
        slot.process(input, into: workingPlanes, frames: call.frames)
    }

    override func reset() { slot.reset() }

    override func collect() { slot.collect() }
}
