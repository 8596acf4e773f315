public import TuttiEffects

/// Gives sound to a closure, at the engine's rate, whether or not the engine plays it. After AVAudioSinkNode.
public final class SinkNode: AudioNode, @unchecked Sendable {
    /// Takes `frameCount` frames; the time is that of the first one. It is called by the thread that renders: it must not
    /// wait, lock or allocate where that thread has to be in time, and never stop the engine.
    public typealias Receive = @Sendable (_ time: AudioTime, _ frameCount: Int, _ planes: Planes) -> Void

    private let channelCount: Int?
    private let receive: Receive

    /// A sink.
    ///
    /// - Parameters:
    ///   - channelCount: channels that the closure wants; the engine's by default.
    ///   - name: what errors call it.
    ///   - receive: takes the sound.
    public init(channelCount: Int? = nil, name: String = "sink", receive: @escaping Receive) {
        self.channelCount = channelCount
        self.receive = receive
        super.init(name: name)
    }

    override var vertex: GraphModel.Vertex {
        GraphModel.Vertex(
            name: name, inputCount: 1, hasOutput: false,
            format: channelCount.map { EngineFormat(sampleRate: 48_000, channelCount: $0) }, isSink: true)
    }

    override func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit { SinkUnit(shape, receive) }
}

final class SinkUnit: RenderUnit, @unchecked Sendable {
    private let closure: SinkNode.Receive

    init(_ shape: UnitShape, _ closure: @escaping SinkNode.Receive) {
        self.closure = closure
        super.init(shape)
    }

    override func render(_ call: RenderCall) {
        guard let inputs = call.inputs, call.inputCount > 0, call.frames > 0 else { return }
        let time = AudioTime(sampleTime: call.nodeTime, sampleRate: shape.format.sampleRate)
        closure(time, call.frames, inputs[0].planes)
    }
}
