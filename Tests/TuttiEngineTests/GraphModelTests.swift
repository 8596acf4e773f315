import Testing
import TuttiEngine

@Suite("Graph model")
struct GraphModelTests {
    private func model(_ count: Int) throws -> (GraphModel, [Int]) {
        var model = GraphModel()
        let nodes = try (0..<count).map {
            try model.add(GraphModel.Vertex(name: "\($0)", inputCount: 3, hasOutput: true, isMixer: true))
        }
        return (model, nodes)
    }

    @Test("nodes come after those that feed them, each once")
    func order() throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            var generator = SplitMix(seed: seed)
            var (model, nodes) = try model(12)
            for _ in 0..<30 {
                let ends = (0..<2).map { _ in (nodes.randomElement(using: &generator) ?? 0, Int?.none) }
                var draft = model
                do throws(AudioEngineError) {
                    try draft.connect(nodes.randomElement(using: &generator) ?? 0, to: ends)
                    model = draft
                } catch {}
            }
            let order = model.order(from: nodes)
            #expect(order.sorted() == nodes)
            let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
            for connection in model.connections {
                #expect((places[connection.source] ?? 0) < (places[connection.destination] ?? 0), "seed \(seed)")
                #expect(!model.reaches(from: connection.destination, to: connection.source))
            }
            let inputs = model.connections.map { [$0.destination, $0.bus] }
            #expect(Set(inputs).count == inputs.count, "one connection for each input")
        }
    }

    @Test("connections that are there stay; others give way")
    func identity() throws {
        var (model, nodes) = try model(4)
        try model.connect(nodes[0], to: [(nodes[3], nil)])
        let first = model.connections
        try model.connect(nodes[0], to: [(nodes[3], nil)])
        #expect(model.connections == first)
        try model.connect(nodes[1], to: [(nodes[3], nil)])
        #expect(model.inputs(of: nodes[3]).map(\.bus) == [0, 1])
        try model.connect(nodes[0], to: [(nodes[3], 0), (nodes[2], 2)])
        #expect(model.outputs(of: nodes[0]).first == first.first)
        try model.connect(nodes[2], to: [(nodes[3], 0)])
        #expect(model.inputs(of: nodes[3]).map(\.source) == [nodes[2], nodes[1]])
        #expect(model.freeBus(of: nodes[3]) == 2)
        #expect(throws: AudioEngineError.cycle(from: "3", to: "0")) {
            try model.connect(nodes[3], to: [(nodes[0], nil)])
        }
        model.remove(nodes[3])
        #expect(model.connections.map(\.destination) == [nodes[2]])
    }
}
