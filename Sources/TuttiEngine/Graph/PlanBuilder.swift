import TuttiEffects

/// Makes a render plan of a graph. Edges and units that are there already are used again, so that their state goes on.
struct PlanBuilder {
    let model: GraphModel
    let nodes: [Int: AudioNode]
    let output: Int
    let format: EngineFormat
    let capacity: Int
    let taps: [Int: Tap]
    /// Seconds of a fade where the graph changes.
    static let fadeTime = 0.005

    /// What a plan consists of, besides itself.
    struct Result {
        let plan: RenderPlan
        let units: [Int: RenderUnit]
        let edges: [Int: RenderEdge]
        /// Frames of the engine between a node's output and the engine's.
        let latencies: [Int: Int]
    }

    /// - Parameters:
    ///   - edges: those of the plan before.
    ///   - isStart: whether all inputs have to be connected.
    func build(serial: Int, edges old: [Int: RenderEdge], isStart: Bool) throws(AudioEngineError) -> Result {
        let sinks = model.vertices.filter(\.value.isSink).keys.sorted().filter { !model.inputs(of: $0).isEmpty }
        let order = model.order(from: sinks + [output])
        let resolver = try FormatResolver(model, order: order, output: output, format: format, capacity: capacity)
        if isStart { try requireInputs(order) }
        let units = try units(order, resolver)
        let edges = edges(order, resolver, old)
        let plan = plan(serial, order, units, edges)
        return Result(plan: plan, units: units, edges: edges, latencies: latencies(order, units, edges))
    }

    private func requireInputs(_ order: [Int]) throws(AudioEngineError) {
        for node in order {
            guard let vertex = model.vertices[node], vertex.inputCount > 0, !vertex.isMixer else { continue }
            guard !model.inputs(of: node).isEmpty else { throw .unconnected(node: vertex.name) }
        }
    }

    private func units(_ order: [Int], _ resolver: FormatResolver) throws(AudioEngineError) -> [Int: RenderUnit] {
        var result: [Int: RenderUnit] = [:]
        for node in order {
            guard let format = resolver.formats[node], let capacity = resolver.capacities[node],
                let channels = resolver.inputChannels[node]
            else { continue }
            let shape = UnitShape(format: format, inputChannelCount: channels, capacity: capacity)
            result[node] = try nodes[node]?.unit(for: shape)
        }
        return result
    }

    private func edges(
        _ order: [Int], _ resolver: FormatResolver, _ old: [Int: RenderEdge]
    ) -> [Int: RenderEdge] {
        var result: [Int: RenderEdge] = [:]
        for node in order {
            for connection in model.inputs(of: node) {
                guard let source = resolver.formats[connection.source], let destination = resolver.input(of: node),
                    let capacity = resolver.capacities[node]
                else { continue }
                if let edge = old[connection.id], edge.source == source, edge.destination == destination,
                    edge.capacity >= capacity
                {
                    result[connection.id] = edge
                } else {
                    result[connection.id] = RenderEdge(from: source, to: destination, capacity: capacity)
                }
            }
        }
        return result
    }

    private func plan(
        _ serial: Int, _ order: [Int], _ units: [Int: RenderUnit], _ edges: [Int: RenderEdge]
    ) -> RenderPlan {
        var (steps, planEdges, inputs): ([PlanStep], [PlanEdge], [RenderInput]) = ([], [], [])
        var places: [Int: Int] = [:]
        var kept: [AnyObject] = Array(edges.values)
        for node in order {
            guard let unit = units[node] else { continue }
            let first = planEdges.count
            for connection in model.inputs(of: node) {
                guard let edge = edges[connection.id], let place = places[connection.source] else { continue }
                planEdges.append(
                    PlanEdge(
                        edge: Unmanaged.passUnretained(edge).toOpaque(), state: edge.state, source: place,
                        fadeFrames: max(1, fadeFrames(edge.destination.sampleRate) - 2)))
                inputs.append(RenderInput(planes: unit.output, bus: connection.bus, isFirst: true))
            }
            places[node] = steps.count
            let tap = taps[node]?.source(for: unit.shape)
            if let tap { kept.append(tap) }
            steps.append(
                PlanStep(
                    unit: Unmanaged.passUnretained(unit).toOpaque(), output: unit.output, clock: unit.clock,
                    firstEdge: first, edgeCount: planEdges.count - first, tap: tap?.ring,
                    isRoot: node == output || model.vertices[node]?.isSink == true,
                    engineFramesPerFrame: Double(format.sampleRate) / Double(unit.shape.format.sampleRate)))
        }
        let used = order.compactMap { nodes[$0] }
        for node in used { node.planBegan() }
        return RenderPlan(
            serial: serial, format: format, fadeFrames: fadeFrames(format.sampleRate), steps: steps, edges: planEdges,
            inputs: inputs, units: Array(units.values), kept: kept
        ) {
            for node in used { node.planEnded() }
        }
    }

    private func fadeFrames(_ rate: Int) -> Int { max(3, Int(Double(rate) * Self.fadeTime)) }

    private func latencies(
        _ order: [Int], _ units: [Int: RenderUnit], _ edges: [Int: RenderEdge]
    ) -> [Int: Int] {
        var seconds: [Int: Double] = [:]
        for node in order.reversed() {
            let after = model.outputs(of: node).compactMap { connection -> Double? in
                guard let later = seconds[connection.destination], let unit = units[connection.destination],
                    let edge = edges[connection.id]
                else { return nil }
                return later + Double(unit.latency + edge.latency) / Double(unit.shape.format.sampleRate)
            }
            seconds[node] = after.max() ?? 0
        }
        return seconds.mapValues { Int(($0 * Double(format.sampleRate)).rounded()) }
    }
}
