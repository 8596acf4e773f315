import CLibYAML

/// A part of a YAML file that has been read whole: one value, a list, or a table. References lead to what they mean.
package struct YAMLNode: Sendable {
    private enum Content: Sendable {
        case scalar(String, isPlain: Bool)
        /// Places in `parts`.
        case list([Int])
        case table([(key: Int, value: Int)])
    }

    private struct Part: Sendable {
        var content: Content
        /// Counted from 1.
        var line: Int
    }

    /// All of the file, shared by its nodes. Parts refer to each other by place: a list may have itself in it.
    private let parts: [Part]
    private let place: Int

    private init(_ parts: [Part], _ place: Int) {
        self.parts = parts
        self.place = place
    }

    /// The line on which it begins, counted from 1.
    package var line: Int { parts[place].line }

    /// The text of one value; nil for a list and a table.
    package var text: String? {
        guard case .scalar(let text, _) = parts[place].content else { return nil }
        return text
    }

    /// Whether it stands for nothing: an empty place, `~` or `null`, without quotes.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = parts[place].content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The values of a list; nil for anything else.
    package var list: [YAMLNode]? {
        guard case .list(let places) = parts[place].content else { return nil }
        return places.map { YAMLNode(parts, $0) }
    }

    /// The keys and values of a table, in the file's order; nil for anything else.
    package var table: [(key: YAMLNode, value: YAMLNode)]? {
        guard case .table(let pairs) = parts[place].content else { return nil }
        return pairs.map { (YAMLNode(parts, $0.key), YAMLNode(parts, $0.value)) }
    }
}

extension YAMLNode {
    /// What a file has; nil when there is nothing in it.
    ///
    /// - Parameter bytes: the whole of the file.
    /// - Throws: `YAMLFlaw` for what is no YAML, for a key that a table has twice, and for a second document.
    package init?(parsing bytes: [UInt8]) throws(YAMLFlaw) {
        let parser = YAMLParser(bytes)
        guard let parts = try Self.nextDocument(parser) else { return nil }
        if let second = try Self.nextDocument(parser) {
            throw YAMLFlaw(line: second[0].line, reason: "but found another document")
        }
        try Self.checkKeys(parts)
        // The root comes first.
        self.init(parts, 0)
    }

    /// The parts of the next document; nil when there is none, or nothing in it.
    private static func nextDocument(_ parser: borrowing YAMLParser) throws(YAMLFlaw) -> [Part]? {
        var document = yaml_document_t()
        guard yaml_parser_load(parser.state, &document) == 1 else { throw parser.flaw }
        defer { yaml_document_delete(&document) }
        let nodes = elements(document.nodes.start, document.nodes.top)
        return nodes.isEmpty ? nil : nodes.map { Part(content: content(of: $0), line: YAMLParser.line($0.start_mark)) }
    }

    private static func content(of node: yaml_node_t) -> Content {
        switch node.type {
        case YAML_SEQUENCE_NODE:
            let items = node.data.sequence.items
            // LibYAML counts from 1.
            return .list(elements(items.start, items.top).map { Int($0) - 1 })
        case YAML_MAPPING_NODE:
            let pairs = node.data.mapping.pairs
            return .table(elements(pairs.start, pairs.top).map { (Int($0.key) - 1, Int($0.value) - 1) })
        default:
            let scalar = node.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        }
    }

    /// What one of LibYAML's stacks has.
    private static func elements<Element>(
        _ start: UnsafeMutablePointer<Element>?, _ top: UnsafeMutablePointer<Element>?
    ) -> UnsafeBufferPointer<Element> {
        guard let start, let top else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: start, count: top - start)
    }

    private static func checkKeys(_ parts: [Part]) throws(YAMLFlaw) {
        for case .table(let pairs) in parts.lazy.map(\.content) {
            var lines: [String: Int] = [:]
            var repeated: [(key: String, line: Int)] = []
            for pair in pairs {
                guard case .scalar(let key, _) = parts[pair.key].content else { continue }
                if let line = lines[key] { repeated.append((key, line)) } else { lines[key] = parts[pair.key].line }
            }
            guard let first = repeated.min(by: { $0.key < $1.key }) else { continue }
            let names = Set(repeated.map(\.key)).sorted().joined(separator: ", ")
            throw YAMLFlaw(line: first.line, reason: "\(names) is given twice")
        }
    }
}
