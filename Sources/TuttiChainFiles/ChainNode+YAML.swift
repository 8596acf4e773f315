package import TuttiChain
import TuttiYAML

extension ChainNode {
    /// Lists and tables in each other, at most.
    private static let maximumDepth = 12
    /// Values in a file, at most; those that references repeat count each time.
    private static let maximumCount = 100_000

    /// Reads a YAML file, and with it JSON; nil when there is nothing in it.
    ///
    /// - Throws: `ChainError.syntax`.
    package init?(yaml text: String) throws(ChainError) {
        let bytes = Array(text.utf8)
        let (root, deepLine): (YAMLNode?, Int?)
        do {
            // LibYAML takes time with the square of the depth: deep files are found before they are read whole.
            deepLine = try Self.firstDeepLine(bytes)
            root = deepLine == nil ? try YAMLNode(parsing: bytes) : nil
        } catch { throw .syntax(line: error.line, "this is no YAML: \(error.reason)") }
        if let deepLine { throw .syntax(line: deepLine, Self.tooDeep) }
        guard let root else { return nil }
        var remaining = Self.maximumCount
        self = try Self.node(root, depth: 1, &remaining)
    }

    private static let tooDeep = "lists and tables are nested too deeply"

    /// Where a list or table begins that is too deep in others.
    private static func firstDeepLine(_ bytes: [UInt8]) throws(YAMLFlaw) -> Int? {
        var events = YAMLEvents(bytes)
        var depth = 0
        while true {
            let (event, line) = try events.next()
            switch event {
            case .list, .table: depth += 1
            case .endOfList, .endOfTable: depth -= 1
            case .end: return nil
            case .start, .text, .alias: break
            }
            if depth > maximumDepth { return line }
        }
    }

    private static func node(
        _ node: YAMLNode, depth: Int, _ remaining: inout Int
    ) throws(ChainError) -> ChainNode {
        remaining -= 1
        guard remaining >= 0 else { throw .syntax(line: node.line, "the file has more than \(maximumCount) values") }
        guard depth <= maximumDepth else { throw .syntax(line: node.line, tooDeep) }
        if let text = node.text {
            return ChainNode(node.isNull ? .null : .scalar(text), line: node.line)
        }
        if let list = node.list {
            var nodes: [ChainNode] = []
            for item in list { nodes.append(try Self.node(item, depth: depth + 1, &remaining)) }
            return ChainNode(.list(nodes), line: node.line)
        }
        var entries: [Entry] = []
        for (key, value) in node.table ?? [] {
            guard let name = key.text else { throw .syntax(line: key.line, "a name must be a text") }
            entries.append(Entry(name, try Self.node(value, depth: depth + 1, &remaining)))
        }
        return ChainNode(.table(entries), line: node.line)
    }
}
