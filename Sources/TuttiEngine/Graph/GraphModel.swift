/// Nodes by number and what connects them: a value, so that an edit is tried on a copy. It never has a cycle.
package struct GraphModel: Sendable {
    /// A node, as far as the graph is concerned.
    package struct Vertex: Sendable {
        package var name: String
        /// Inputs, 0 where it makes sound; a mixer has `AudioEngine.Limits.mixerInputs`.
        package var inputCount: Int
        package var hasOutput: Bool
        /// What goes out, where that is given; the format of what it feeds otherwise.
        package var format: EngineFormat?
        /// Channels that come in and go out, where the node cannot have others.
        package var fixedChannels: FixedChannels?
        /// Whether it is rendered though it feeds nothing.
        package var isSink = false
        /// Whether silence may come in where nothing is connected.
        package var isMixer = false

        /// A node.
        package init(
            name: String, inputCount: Int, hasOutput: Bool, format: EngineFormat? = nil,
            fixedChannels: FixedChannels? = nil, isSink: Bool = false, isMixer: Bool = false
        ) {
            self.name = name
            self.inputCount = inputCount
            self.hasOutput = hasOutput
            self.format = format
            self.fixedChannels = fixedChannels
            self.isSink = isSink
            self.isMixer = isMixer
        }
    }

    /// The channels of a node that cannot have others.
    package struct FixedChannels: Sendable, Hashable {
        package var input: Int
        package var output: Int
    }

    /// One output to one input. Each has another `id`, even between the same nodes.
    package struct Connection: Sendable, Hashable {
        package let id: Int
        package var source: Int
        package var destination: Int
        package var bus: Int
    }

    package private(set) var vertices: [Int: Vertex] = [:]
    package private(set) var connections: [Connection] = []
    private var nextID = 0

    /// A graph without nodes.
    package init() {}

    package mutating func add(_ vertex: Vertex) throws(AudioEngineError) -> Int {
        guard vertices.count < AudioEngine.Limits.nodes else { throw .tooManyNodes(maximum: AudioEngine.Limits.nodes) }
        nextID += 1
        vertices[nextID] = vertex
        return nextID
    }

    package mutating func remove(_ node: Int) {
        vertices[node] = nil
        connections.removeAll { $0.source == node || $0.destination == node }
    }

    package mutating func setFormat(_ format: EngineFormat?, of node: Int) { vertices[node]?.format = format }

    /// The lowest input of a mixer that nothing is connected to.
    package func freeBus(of node: Int) -> Int? {
        guard let vertex = vertices[node] else { return nil }
        let used = Set(connections.lazy.filter { $0.destination == node }.map(\.bus))
        return (0..<vertex.inputCount).first { !used.contains($0) }
    }

    /// Connects an output to some inputs, in place of what it fed before; what was at those inputs is disconnected. A
    /// connection that is there already stays the same one.
    ///
    /// - Parameter ends: nodes and their inputs; without one, that which the output feeds already, a mixer's lowest free
    ///   one, or the first.
    /// - Throws: `noSuchBus` or `cycle`; the graph is then only good to be thrown away.
    package mutating func connect(
        _ source: Int, to ends: [(destination: Int, bus: Int?)]
    ) throws(AudioEngineError) {
        guard let from = vertices[source], from.hasOutput else { return }
        let before = connections.filter { $0.source == source }
        connections.removeAll { $0.source == source }
        for (destination, wanted) in ends {
            guard let to = vertices[destination] else { continue }
            let old = before.first { $0.destination == destination && (wanted == nil || $0.bus == wanted) }
            let free = to.isMixer ? freeBus(of: destination) : 0
            let bus = wanted ?? old?.bus ?? free ?? to.inputCount
            guard (0..<to.inputCount).contains(bus) else { throw .noSuchBus(node: to.name, bus: bus) }
            guard !reaches(from: destination, to: source) else { throw .cycle(from: from.name, to: to.name) }
            connections.removeAll { $0.destination == destination && $0.bus == bus }
            nextID += 1
            connections.append(
                old ?? Connection(id: nextID, source: source, destination: destination, bus: bus))
        }
    }

    package mutating func disconnect(where condition: (Connection) -> Bool) { connections.removeAll(where: condition) }

    package func inputs(of node: Int) -> [Connection] {
        connections.filter { $0.destination == node }.sorted { $0.bus < $1.bus }
    }

    package func outputs(of node: Int) -> [Connection] { connections.filter { $0.source == node } }

    /// Whether sound of one node comes to another.
    package func reaches(from start: Int, to goal: Int) -> Bool {
        var (seen, open): (Set<Int>, [Int]) = ([], [start])
        while let node = open.popLast() {
            if node == goal { return true }
            guard seen.insert(node).inserted else { continue }
            open += connections.lazy.filter { $0.source == node }.map(\.destination)
        }
        return false
    }

    /// The nodes that `roots` are made of, each after those that feed it.
    package func order(from roots: [Int]) -> [Int] {
        let sources = Dictionary(grouping: connections.sorted { $0.bus < $1.bus }, by: \.destination)
        var (result, seen): ([Int], Set<Int>) = ([], [])
        func visit(_ node: Int) {
            guard seen.insert(node).inserted else { return }
            for connection in sources[node] ?? [] { visit(connection.source) }
            result.append(node)
        }
        for root in roots { visit(root) }
        return result
    }
}
