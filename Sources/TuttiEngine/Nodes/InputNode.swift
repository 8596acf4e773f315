import Synchronization
public import TuttiEffects

/// Takes sound from whoever renders manually.
public final class InputNode: AudioNode, @unchecked Sendable {
    /// Fills up to `frameCount` frames of all planes, and says how many there are; fewer when it has no more.
    public typealias ManualRenderingInput = @Sendable (_ frameCount: Int, _ planes: Planes) -> Int

    private struct Source: Sendable {
        var format: EngineFormat?
        var block: ManualRenderingInput?
    }

    private let source = Mutex(Source())

    init() { super.init(name: "input") }

    /// Sets what the node's sound comes from. A render call whose frames are not all there renders nothing, says
    /// `insufficientDataFromInputNode`, and keeps what it got for the next call.
    ///
    /// - Throws: `running` while the engine runs; `invalidFormat`.
    public func setManualRenderingInput(
        format: EngineFormat, _ block: @escaping ManualRenderingInput
    ) throws(AudioEngineError) {
        guard format.isValid else { throw .invalidFormat(format) }
        if let engine, engine.isPrepared { throw .running }
        source.withLock { $0 = Source(format: format, block: block) }
        attachment.withLock { $0.unit = nil }
        engine?.setFormat(format, of: self)
    }

    override var vertex: GraphModel.Vertex {
        GraphModel.Vertex(name: name, inputCount: 0, hasOutput: true, format: source.withLock { $0.format })
    }

    override func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit {
        InputUnit(shape, source.withLock { $0.block })
    }
}

final class InputUnit: RenderUnit, @unchecked Sendable {
    /// Not optional: a copy of an optional one would be counted.
    private let block: InputNode.ManualRenderingInput
    private let ring: FrameRing
    private let fetched: PlaneMemory

    init(_ shape: UnitShape, _ block: InputNode.ManualRenderingInput?) {
        self.block = block ?? { _, _ in 0 }
        ring = FrameRing(channels: shape.format.channelCount, frames: 2 * shape.capacity)
        fetched = PlaneMemory(channels: shape.format.channelCount, frames: shape.capacity)
        super.init(shape)
    }

    override func fetch(_ frames: Int) -> Bool {
        let missing = min(frames - ring.readable, shape.capacity)
        guard missing > 0 else { return true }
        let count = min(max(0, block(missing, fetched.planes)), missing)
        _ = ring.write(fetched.planes, frames: count)
        return count == missing
    }

    override func render(_ call: RenderCall) {
        let count = ring.read(into: output, at: 0, frames: call.frames)
        output.clear(from: count, frames: call.frames - count)
    }
}
