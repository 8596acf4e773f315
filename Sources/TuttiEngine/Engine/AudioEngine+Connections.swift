import Synchronization

/// An input of a node.
public struct ConnectionPoint: Sendable {
    /// The node.
    public let node: AudioNode
    /// Its input.
    public let bus: Int

    /// An input.
    public init(_ node: AudioNode, bus: Int = 0) {
        self.node = node
        self.bus = bus
    }
}

extension AudioEngine {
    /// Connects a node's output to another's first input, or a mixer's lowest free one. What the output fed before, and
    /// what was at the input, is disconnected.
    ///
    /// - Parameters:
    ///   - source: the first node.
    ///   - destination: the second node.
    ///   - format: what the first node makes; by default what it was set to, or what the second one takes. Other sample
    ///     rates and, between mono and stereo, channels are converted on the way: mono goes to both sides at full level,
    ///     stereo becomes the mean of both.
    /// - Throws: `notAttached`, `noSuchBus`, `cycle`, `invalidFormat`, `formatMismatch`, `fanOutAcrossRates`, or
    ///   `invalidEffect` when a running engine finds that an effect cannot work with the format.
    public func connect(
        _ source: AudioNode, to destination: AudioNode, format: EngineFormat? = nil
    ) throws(AudioEngineError) {
        try connect(source, to: [(destination, nil)], fromBus: 0, format: format)
    }

    /// Connects certain buses.
    public func connect(
        _ source: AudioNode, to destination: AudioNode, fromBus: Int, toBus: Int, format: EngineFormat? = nil
    ) throws(AudioEngineError) {
        try connect(source, to: [(destination, toBus)], fromBus: fromBus, format: format)
    }

    /// Connects one output to several inputs, in place of what it fed before.
    public func connect(
        _ source: AudioNode, to points: [ConnectionPoint], fromBus: Int = 0, format: EngineFormat? = nil
    ) throws(AudioEngineError) {
        try connect(source, to: points.map { ($0.node, $0.bus) }, fromBus: fromBus, format: format)
    }

    private func connect(
        _ source: AudioNode, to points: [(node: AudioNode, bus: Int?)], fromBus: Int, format: EngineFormat?
    ) throws(AudioEngineError) {
        let from = try attachedNumber(of: source)
        guard fromBus == 0, source.vertex.hasOutput else { throw .noSuchBus(node: source.name, bus: fromBus) }
        if let format, !format.isValid { throw .invalidFormat(format) }
        var ends: [(destination: Int, bus: Int?)] = []
        for point in points { ends.append((try attachedNumber(of: point.node), point.bus)) }
        try edit { state throws(AudioEngineError) in
            if let format { state.model.setFormat(format, of: from) }
            try state.model.connect(from, to: ends)
        }
    }

    /// Disconnects one input of a node, or all.
    ///
    /// - Throws: `notAttached` or `noSuchBus`.
    public func disconnectNodeInput(_ node: AudioNode, bus: Int? = nil) throws(AudioEngineError) {
        let id = try attachedNumber(of: node)
        if let bus, !(0..<node.numberOfInputs).contains(bus) { throw .noSuchBus(node: node.name, bus: bus) }
        try edit { state throws(AudioEngineError) in
            state.model.disconnect { $0.destination == id && (bus == nil || $0.bus == bus) }
        }
    }

    /// Disconnects a node's output from all that it feeds.
    ///
    /// - Throws: `notAttached` or `noSuchBus`.
    public func disconnectNodeOutput(_ node: AudioNode, bus: Int = 0) throws(AudioEngineError) {
        let id = try attachedNumber(of: node)
        guard bus == 0, node.numberOfOutputs > 0 else { throw .noSuchBus(node: node.name, bus: bus) }
        try edit { state throws(AudioEngineError) in state.model.disconnect { $0.source == id } }
    }

    /// What a node's output feeds.
    public func outputConnectionPoints(for node: AudioNode) -> [ConnectionPoint] {
        guard let id = try? attachedNumber(of: node) else { return [] }
        return state.withLock { state in
            state.model.outputs(of: id).compactMap { connection in
                state.nodes[connection.destination].map { ConnectionPoint($0, bus: connection.bus) }
            }
        }
    }

    /// Whether a node's sound comes to the output, or to a sink.
    func hasOutput(_ node: AudioNode) -> Bool {
        guard let id = try? attachedNumber(of: node), let end = try? attachedNumber(of: outputNode) else {
            return false
        }
        return state.withLock { state in
            let sinks = state.model.vertices.filter(\.value.isSink).keys
            return ([end] + sinks).contains { state.model.reaches(from: id, to: $0) }
        }
    }

    func freeBus(of node: AudioNode) -> Int? {
        guard let id = try? attachedNumber(of: node) else { return nil }
        return state.withLock { $0.model.freeBus(of: id) }
    }

    func setFormat(_ format: EngineFormat, of node: AudioNode) {
        guard let id = try? attachedNumber(of: node) else { return }
        state.withLock { $0.model.setFormat(format, of: id) }
    }

    /// What a node makes: as it was prepared, or as it was set.
    func knownFormat(of node: AudioNode) -> EngineFormat? {
        guard let id = try? attachedNumber(of: node) else { return nil }
        return state.withLock { state in
            let prepared = state.run == .stopped ? nil : node.unit?.shape.format
            return prepared ?? state.model.vertices[id]?.format
        }
    }

    // MARK: Taps

    func install(_ request: TapRequest, on node: AudioNode) throws(AudioEngineError) {
        let id = try attachedNumber(of: node)
        try edit { state throws(AudioEngineError) in
            guard state.taps[id] == nil else { throw .tapExists(node: node.name) }
            let tap = Tap(bufferSize: request.bufferSize, handler: request.handler)
            state.taps[id] = tap
        }
    }

    func removeTap(from node: AudioNode) {
        guard let id = try? attachedNumber(of: node) else { return }
        try? edit { state in state.taps.removeValue(forKey: id)?.remove() }
    }
}
