import Foundation
import Testing

@Suite("Layers of the package")
struct LayerTests {
    let graph: PackageGraph

    init() throws { graph = try PackageGraph() }

    @Test("the table of docs/architecture.md has every target once, and no other")
    func table() {
        let listed = graph.layers.flatMap(\.targets)
        #expect(Set(graph.targets).subtracting(listed).isEmpty, "the table lacks these")
        #expect(Set(listed).subtracting(graph.targets).isEmpty, "there are no such targets")
        #expect(listed.count == Set(listed).count)
    }

    @Test("no arrow points up")
    func directions() {
        for target in graph.targets {
            guard let own = graph.layer(of: target) else { continue }
            let higher = graph.arrows(from: target).filter { graph.layer(of: $0).map { $0 < own } ?? false }
            #expect(higher.isEmpty, "\(target) of \(graph.layers[own].name) imports what stands above it")
        }
    }

    @Test("no circle, though the compiler lets none pass either")
    func circles() {
        #expect(graph.targets.filter { graph.reaches($0, $0) } == [])
    }

    @Test("what is declared is imported, and what is imported is declared")
    func declarations() {
        for target in graph.targets where !target.hasPrefix("C") {
            let (declared, imported) = (graph.declared[target] ?? [], graph.imports[target] ?? [])
            #expect(declared.subtracting(imported) == [], "\(target) declares what none of its files imports")
            let known = imported.intersection(graph.targets)
            #expect(known.subtracting(declared) == [], "\(target) imports what it does not declare")
        }
    }

    @Test("the drawing in docs/architecture.md is of this package; `make layers` draws it anew")
    func drawing() throws {
        let page = try String(contentsOf: PackageGraph.page, encoding: .utf8)
        let drawn = try LayerDrawing(graph).placed(in: page)
        if ProcessInfo.processInfo.environment["TUTTI_DRAW_LAYERS"] != nil {
            try drawn.write(to: PackageGraph.page, atomically: true, encoding: .utf8)
        } else {
            #expect(page == drawn)
        }
    }
}
