import Synchronization

/// Something in an `AudioEngine` that makes, changes or takes sound. Attach it, then connect it.
///
/// Guard of `@unchecked Sendable`: what changes is in `Mutex`es and atomics; what the render thread needs is in units.
public class AudioNode: @unchecked Sendable {
    struct Attachment: Sendable {
        weak var engine: AudioEngine?
        /// The number in the engine's graph.
        var id = 0
        /// The unit of the newest plan.
        var unit: RenderUnit?
        /// Frames of the engine from the node's output to the engine's.
        var latencyToOutput = 0
    }

    /// What errors call the node.
    public let name: String
    let attachment = Mutex(Attachment())

    init(name: String) { self.name = name }

    /// Inputs, numbered from 0.
    public var numberOfInputs: Int { vertex.inputCount }
    /// Outputs: 1, or 0 where sound ends.
    public var numberOfOutputs: Int { vertex.hasOutput ? 1 : 0 }
    /// The engine that it is attached to.
    public var engine: AudioEngine? { attachment.withLock { $0.engine } }
    /// What goes out, once the engine has prepared it.
    public var outputFormat: EngineFormat? { unit?.shape.format }
    /// Frames, at the node's rate, that its output is later than its input; 0 before the engine has prepared it.
    public var latency: Int { unit?.latency ?? 0 }
    /// Frames of the engine between the node's output and the end of the engine's output; 0 before the engine has prepared
    /// the node.
    public var latencyToOutput: Int { attachment.withLock { $0.latencyToOutput } }
    /// The node's time at the end of the newest render call; nil before the first.
    public var lastRenderTime: AudioTime? {
        guard let unit else { return nil }
        let frames = unit.clock.pointee.sampleTime.load(ordering: .acquiring)
        return frames > 0 ? AudioTime(sampleTime: frames, sampleRate: unit.shape.format.sampleRate) : nil
    }

    /// Calls `handler` with what comes out of the node, in buffers of `bufferSize` frames. In offline rendering that
    /// happens at the end of each render call, and the last buffer may be shorter; otherwise on a thread of the engine,
    /// some time later. What a slow handler cannot take is left out, and times skip it.
    ///
    /// - Parameters:
    ///   - bus: 0, the only one.
    ///   - bufferSize: frames, 1 … 65 536.
    ///   - handler: called with frames and the node's time of the first of them.
    /// - Throws: `notAttached`, `noSuchBus`, `tapExists` or `invalidFrameCount`.
    public final func installTap(
        onBus bus: Int = 0, bufferSize: Int, handler: @escaping @Sendable (PCMBuffer, AudioTime) -> Void
    ) throws(AudioEngineError) {
        guard let engine else { throw .notAttached(node: name) }
        guard bus == 0, vertex.hasOutput || self is OutputNode else { throw .noSuchBus(node: name, bus: bus) }
        guard (1...65_536).contains(bufferSize) else { throw .invalidFrameCount(bufferSize, maximum: 65_536) }
        try engine.install(TapRequest(bufferSize: bufferSize, handler: handler), on: self)
    }

    /// Removes the tap; the handler is not called again.
    public final func removeTap(onBus bus: Int = 0) { engine?.removeTap(from: self) }

    // MARK: For the engine

    /// What the graph knows of the node.
    var vertex: GraphModel.Vertex { GraphModel.Vertex(name: name, inputCount: 0, hasOutput: false) }

    final var unit: RenderUnit? { attachment.withLock { $0.unit } }

    /// A unit for this shape: that which the node has, or a new one.
    final func unit(for shape: UnitShape) throws(AudioEngineError) -> RenderUnit {
        if let unit, unit.shape.covers(shape) { return unit }
        return try makeUnit(shape)
    }

    func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit { RenderUnit(shape) }

    /// Takes the unit of a plan that is about to render.
    func adopt(_ unit: RenderUnit, latencyToOutput: Int) {
        attachment.withLock { ($0.unit, $0.latencyToOutput) = (unit, latencyToOutput) }
    }

    /// A plan with the node has been made, or is gone.
    func planBegan() {}
    func planEnded() {}

    /// Whether no plan has the node any more.
    var isAtRest: Bool { true }

    /// Gets data for the next render calls from outside.
    ///
    /// - Parameter isOffline: just what the longest call needs, rather than some time's.
    func feed(isOffline: Bool) {}

    /// What is to be called outside of all locks now.
    ///
    /// - Parameter engineTime: frames that the engine has rendered; nil when it renders no more.
    func completions(at engineTime: Int64?) -> [@Sendable () -> Void] { [] }

    /// The engine has stopped; what is to be called outside of all locks then.
    func settle() -> [@Sendable () -> Void] { [] }
}

/// What a tap is to be.
struct TapRequest: Sendable {
    let bufferSize: Int
    let handler: @Sendable (PCMBuffer, AudioTime) -> Void
}
