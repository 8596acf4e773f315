/// What each node of a graph makes and takes, and how many frames a call of it has at most.
struct FormatResolver {
    private(set) var formats: [Int: EngineFormat] = [:]
    private(set) var inputChannels: [Int: Int] = [:]
    private(set) var capacities: [Int: Int] = [:]
    /// Nodes of one number render the same frames in each call: the engine's are 0, and behind each conversion of the
    /// sample rate are others.
    private var domains: [Int: Int] = [:]

    /// - Parameters:
    ///   - order: nodes after those that feed them.
    ///   - format: the engine's.
    ///   - capacity: frames of one call of the engine.
    init(_ model: GraphModel, order: [Int], output: Int, format: EngineFormat, capacity: Int)
        throws(AudioEngineError)
    {
        for node in order.reversed() {
            guard let vertex = model.vertices[node] else { continue }
            if node == output {
                (formats[node], domains[node], capacities[node]) = (format, 0, capacity)
            } else if vertex.isSink {
                formats[node] = EngineFormat(
                    sampleRate: format.sampleRate, channelCount: vertex.format?.channelCount ?? format.channelCount)
                (domains[node], capacities[node]) = (0, capacity)
            } else {
                try resolve(node, vertex, model)
            }
            guard let own = formats[node] else { continue }
            guard own.isValid else { throw .invalidFormat(own) }
            inputChannels[node] = vertex.fixedChannels?.input ?? own.channelCount
        }
    }

    /// What comes into a node.
    func input(of node: Int) -> EngineFormat? {
        guard let format = formats[node], let channels = inputChannels[node] else { return nil }
        return EngineFormat(sampleRate: format.sampleRate, channelCount: channels)
    }

    private mutating func resolve(_ node: Int, _ vertex: GraphModel.Vertex, _ model: GraphModel)
        throws(AudioEngineError)
    {
        let outputs = model.outputs(of: node).filter { formats[$0.destination] != nil }
        guard let first = outputs.first, let wanted = input(of: first.destination) else { return }
        var format = vertex.format ?? wanted
        if let fixed = vertex.fixedChannels {
            format = EngineFormat(sampleRate: format.sampleRate, channelCount: fixed.output)
        }
        formats[node] = format
        var domain: Int?
        for connection in outputs {
            guard let destination = input(of: connection.destination) else { continue }
            guard format.canConvert(to: destination) else {
                throw .formatMismatch(source: format, destination: destination)
            }
            let converts = format.sampleRate != destination.sampleRate
            let own = converts ? connection.id : domains[connection.destination] ?? 0
            guard domain == nil || domain == own else { throw .fanOutAcrossRates(node: vertex.name) }
            domain = own
            capacities[node] = RenderEdge.sourceCapacity(
                capacities[connection.destination] ?? 1, from: format.sampleRate, to: destination.sampleRate)
        }
        domains[node] = domain
    }
}
