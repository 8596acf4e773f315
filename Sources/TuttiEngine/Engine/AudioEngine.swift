import Synchronization

/// A graph of nodes that make, change and play sound, in real time or offline. After AVAudioEngine.
///
/// Attach nodes, connect them, start the engine. The graph may be changed while it runs, from any thread: the render
/// thread takes the changed graph over as a whole, and what comes or goes fades within 5 ms.
public final class AudioEngine: Sendable {
    /// How large a graph may be.
    public enum Limits {
        /// Nodes, with the engine's own three.
        public static let nodes = 256
        /// Inputs of a mixer.
        public static let mixerInputs = 64
        /// Frames of one render call.
        public static let frameCounts = 1...65_536
    }

    /// What an engine is doing.
    enum Run { case stopped, paused, running }

    struct State: Sendable {
        var model = GraphModel()
        /// Nodes by their number.
        var nodes: [Int: AudioNode] = [:]
        /// The same in the order in which they were attached.
        var ordered: [AudioNode] = []
        /// Edges of the newest plan by their connection's number.
        var edges: [Int: RenderEdge] = [:]
        var taps: [Int: Tap] = [:]
        var serial = 0
        var run = Run.stopped
        var manual: Manual?
        var output: (any EngineOutput)?
        var worker: EngineWorker?
        /// Nodes that were detached, but may still be fading out.
        var leaving: [AudioNode] = []
    }

    /// How an engine renders manually.
    struct Manual: Sendable {
        var mode: ManualRenderingMode
        var format: EngineFormat
        var maximumFrameCount: Int
    }

    /// The mixer before the output, to whose input it is connected.
    public let mainMixerNode = MixerNode(name: "main mixer")
    /// Where the sound ends.
    public let outputNode = OutputNode()
    /// Where sound comes from in manual rendering; connect it where that is wanted.
    public let inputNode = InputNode()

    let core = RenderCore()
    let state = Mutex(State())
    /// Held by the one who frees what the render thread gives back.
    let collecting = Mutex(())
    /// Whether `renderOffline` is under way, handlers included.
    let isRenderingOffline = Atomic<Bool>(false)

    /// An engine with its own nodes.
    ///
    /// - Parameter output: what pulls the sound once the engine runs, unless it renders manually.
    public init(output: (any EngineOutput)? = nil) {
        state.withLock { state in
            state.output = output
            for node in [outputNode, mainMixerNode, inputNode] { try? add(node, to: &state) }
            let (mixer, end) = (number(of: mainMixerNode), number(of: outputNode))
            try? state.model.connect(mixer, to: [(end, 0)])
        }
    }

    deinit {
        state.withLock { state in
            state.worker?.end()
            if state.manual == nil, state.run == .running { state.output?.stop() }
        }
        core.close()
    }

    /// Samples that were not numbers and have been set to 0, since the engine was made.
    public var nonFiniteSampleCount: Int { core.shared.pointee.nonFiniteSamples.load(ordering: .relaxed) }

    /// Nodes that are attached, the engine's own first.
    public var attachedNodes: [AudioNode] { state.withLock { $0.ordered } }

    // MARK: Nodes

    /// Attaches a node.
    ///
    /// - Throws: `alreadyAttached` or `tooManyNodes`.
    public func attach(_ node: AudioNode) throws(AudioEngineError) {
        try state.withLock { state throws(AudioEngineError) in try add(node, to: &state) }
    }

    private func add(_ node: AudioNode, to state: inout State) throws(AudioEngineError) {
        let id = try node.attachment.withLock { attachment throws(AudioEngineError) in
            guard attachment.engine == nil else { throw .alreadyAttached(node: node.name) }
            attachment.id = try state.model.add(node.vertex)
            attachment.engine = self
            return attachment.id
        }
        state.nodes[id] = node
        state.ordered.append(node)
    }

    /// Takes a node out of the graph, with its connections and its tap.
    ///
    /// - Throws: `notAttached` or `permanentNode`.
    public func detach(_ node: AudioNode) throws(AudioEngineError) {
        guard node !== mainMixerNode, node !== outputNode, node !== inputNode else {
            throw .permanentNode(node: node.name)
        }
        let id = try attachedNumber(of: node)
        try edit { state throws(AudioEngineError) in
            state.model.remove(id)
            state.nodes[id] = nil
            state.ordered.removeAll { $0 === node }
            state.taps.removeValue(forKey: id)?.remove()
            state.leaving.append(node)
        }
        node.attachment.withLock { $0 = AudioNode.Attachment() }
        deliverLeft()
    }

    /// The number of a node in this engine's graph.
    func attachedNumber(of node: AudioNode) throws(AudioEngineError) -> Int {
        try node.attachment.withLock { attachment throws(AudioEngineError) in
            guard attachment.engine === self else { throw .notAttached(node: node.name) }
            return attachment.id
        }
    }

    private func number(of node: AudioNode) -> Int { node.attachment.withLock { $0.id } }

    // MARK: Edits

    /// Changes the graph as a whole or, where that throws, not at all; a running engine gets a plan of the changed one.
    func edit(_ change: (inout State) throws(AudioEngineError) -> Void) throws(AudioEngineError) {
        defer { collecting.withLock { _ in core.collect() } }
        try state.withLock { state throws(AudioEngineError) in
            var draft = state
            try change(&draft)
            if draft.run == .stopped {
                try checkFormats(draft)
            } else {
                let plan = try prepare(&draft, isStart: false)
                core.publish(plan)
            }
            state = draft
        }
    }

    /// Finds formats that do not go together as early as the engine's own is known.
    private func checkFormats(_ state: State) throws(AudioEngineError) {
        guard let (format, capacity) = Self.renderFormat(state) else { return }
        let output = number(of: outputNode)
        _ = try FormatResolver(
            state.model, order: state.model.order(from: [output]), output: output, format: format, capacity: capacity)
    }

    /// What the engine renders, once that is known.
    static func renderFormat(_ state: State) -> (EngineFormat, Int)? {
        if let manual = state.manual { return (manual.format, manual.maximumFrameCount) }
        return state.output.map { ($0.format, min(max(1, $0.maximumFrameCount), Limits.frameCounts.upperBound)) }
    }

    /// A plan of the graph, whose units the nodes take.
    func prepare(_ state: inout State, isStart: Bool) throws(AudioEngineError) -> RenderPlan {
        guard let (format, capacity) = Self.renderFormat(state) else { throw .noOutput }
        state.serial += 1
        let builder = PlanBuilder(
            model: state.model, nodes: state.nodes, output: number(of: outputNode), format: format, capacity: capacity,
            taps: state.taps)
        let result = try builder.build(serial: state.serial, edges: state.edges, isStart: isStart)
        state.edges = result.edges
        let outputLatency = state.manual == nil ? state.output?.latency ?? 0 : 0
        for (id, unit) in result.units {
            state.nodes[id]?.adopt(unit, latencyToOutput: (result.latencies[id] ?? 0) + outputLatency)
        }
        return result.plan
    }
}
