/// Nodes by number and what connects them: a value, so that an edit is tried on a copy. It never has a cycle.
struct GraphModel: Sendable {
    /// A node, as far as the graph is concerned.
    struct Vertex: Sendable {
        var name: String
        /// Inputs, 0 where it makes sound; a mixer has `AudioEngine.Limits.mixerInputs`.
        var inputCount: Int
        var hasOutput: Bool
        /// What goes out, where that is given; the format of what it feeds otherwise.
        var format: EngineFormat?
        /// Channels that come in and go out, where the node cannot have others.
        var fixedChannels: FixedChannels?
        /// Whether it is rendered though it feeds nothing.
        var isSink = false
        /// Whether silence may come in where nothing is connected.
        var isMixer = false
    }

    /// The channels of a node that cannot have others.
    struct FixedChannels: Sendable, Hashable {
        var input: Int
        var output: Int
    }

    /// One output to one input. Each has another `id`, even between the same nodes.
    struct Connection: Sendable, Hashable {
        let id: Int
        var source: Int
        var destination: Int
        var bus: Int
    }

    private(set) var vertices: [Int: Vertex] = [:]
    private(set) var connections: [Connection] = []
    private var nextID = 0

    mutating func add(_ vertex: Vertex) throws(AudioEngineError) -> Int {
        guard vertices.count < AudioEngine.Limits.nodes else { throw .tooManyNodes(maximum: AudioEngine.Limits.nodes) }
        nextID += 1
        vertices[nextID] = vertex
        return nextID
    }

    mutating func remove(_ node: Int) {
        vertices[node] = nil
        connections.removeAll { $0.source == node || $0.destination == node }
    }

    mutating func setFormat(_ format: EngineFormat?, of node: Int) { vertices[node]?.format = format }
    mutating func setFixedChannels(_ channels: FixedChannels?, of node: Int) {
        vertices[node]?.fixedChannels = channels
    }

    /// The lowest input of a mixer that nothing is connected to.
    func freeBus(of node: Int) -> Int? {
        guard let vertex = vertices[node] else { return nil }
        let used = Set(connections.lazy.filter { $0.destination == node }.map(\.bus))
        return (0..<vertex.inputCount).first { !used.contains($0) }
    }

    /// Connects; what was at the input is disconnected, and of the source what `keeping` is not.
    mutating func connect(
        _ source: Int, to destination: Int, bus: Int, isFanOut: Bool
    ) throws(AudioEngineError) {
        guard let from = vertices[source], let to = vertices[destination] else { return }
        guard from.hasOutput else { throw .noSuchBus(node: from.name, bus: 0) }
        guard (0..<to.inputCount).contains(bus) else { throw .noSuchBus(node: to.name, bus: bus) }
        guard !reaches(from: destination, to: source) else { throw .cycle(from: from.name, to: to.name) }
        connections.removeAll {
            ($0.destination == destination && $0.bus == bus) || (!isFanOut && $0.source == source)
        }
        nextID += 1
        connections.append(Connection(id: nextID, source: source, destination: destination, bus: bus))
    }

    mutating func disconnect(where condition: (Connection) -> Bool) { connections.removeAll(where: condition) }

    func inputs(of node: Int) -> [Connection] {
        connections.filter { $0.destination == node }.sorted { $0.bus < $1.bus }
    }

    func outputs(of node: Int) -> [Connection] { connections.filter { $0.source == node } }

    /// Whether sound of one node comes to another.
    func reaches(from start: Int, to goal: Int) -> Bool {
        var (seen, open): (Set<Int>, [Int]) = ([], [start])
        while let node = open.popLast() {
            if node == goal { return true }
            guard seen.insert(node).inserted else { continue }
            open += connections.lazy.filter { $0.source == node }.map(\.destination)
        }
        return false
    }

    /// The nodes that `roots` are made of, each after those that feed it.
    func order(from roots: [Int]) -> [Int] {
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
