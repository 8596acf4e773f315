/// The package as a Mermaid graph: layers as boxes, and an arrow where no longer way leads to the same target.
struct LayerDrawing {
    enum Failure: Error {
        /// The page has no such graph to be replaced.
        case noPlace
    }

    private static let (opening, closing) = ("```mermaid\n", "\n```")
    let text: String

    init(_ graph: PackageGraph) {
        let swift = { (target: String) in !target.hasPrefix("C") }
        var lines = ["flowchart TB"]
        for (number, layer) in graph.layers.enumerated() {
            let names = layer.targets.filter(swift)
            guard !names.isEmpty else { continue }
            lines.append("    subgraph layer\(number) [\(layer.name)]")
            lines += names.map { "        \(Self.identifier($0))[\($0)]" }
            lines.append("    end")
        }
        for target in graph.targets where swift(target) {
            let arrows = graph.arrows(from: target).filter(swift)
            let direct = arrows.filter { arrow in !arrows.contains { $0 != arrow && graph.reaches($0, arrow) } }
            lines += direct.sorted().map { "    \(Self.identifier(target)) --> \(Self.identifier($0))" }
        }
        text = lines.joined(separator: "\n")
    }

    /// Mermaid takes `-` in a name for a line.
    private static func identifier(_ target: String) -> String { target.replacing("-", with: "_") }

    /// `page` with this graph in place of the one that it has.
    func placed(in page: String) throws -> String {
        guard let start = page.firstRange(of: Self.opening),
            let end = page[start.upperBound...].firstRange(of: Self.closing)
        else { throw Failure.noPlace }
        return page[..<start.upperBound] + text + page[end.lowerBound...]
    }
}
