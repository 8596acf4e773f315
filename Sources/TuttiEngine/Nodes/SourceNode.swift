public import TuttiEffects

/// Makes sound by a closure, after AVAudioSourceNode.
public final class SourceNode: AudioNode, @unchecked Sendable {
    /// Fills `frameCount` frames of all planes; the time is that of the first one. It is called by the thread that
    /// renders: it must not wait, lock or allocate where that thread has to be in time, and never stop the engine.
    public typealias Render = @Sendable (_ time: AudioTime, _ frameCount: Int, _ planes: Planes) -> Void

    private let format: EngineFormat?
    private let render: Render

    /// A source.
    ///
    /// - Parameters:
    ///   - format: what the closure makes; that of what the node feeds by default.
    ///   - name: what errors call it.
    ///   - render: makes the sound.
    public init(format: EngineFormat? = nil, name: String = "source", render: @escaping Render) {
        self.format = format
        self.render = render
        super.init(name: name)
    }

    override var vertex: GraphModel.Vertex {
        GraphModel.Vertex(name: name, inputCount: 0, hasOutput: true, format: format)
    }

    override func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit { SourceUnit(shape, render) }
}

final class SourceUnit: RenderUnit, @unchecked Sendable {
    private let closure: SourceNode.Render

    init(_ shape: UnitShape, _ closure: @escaping SourceNode.Render) {
        self.closure = closure
        super.init(shape)
    }

    override func render(_ call: RenderCall) {
        guard call.frames > 0 else { return }
        closure(AudioTime(sampleTime: call.nodeTime, sampleRate: shape.format.sampleRate), call.frames, output)
    }
}
