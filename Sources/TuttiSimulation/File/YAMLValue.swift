import TuttiYAML

/// A value of a scenario's file with the line that it stands on.
struct YAMLValue {
    let file: String
    private let node: YAMLNode

    private init(_ node: YAMLNode, file: String) {
        self.node = node
        self.file = file
    }

    /// The whole of a file.
    ///
    /// - Throws: `SimulationError.malformed` for what is no YAML, or is empty.
    init(text: String, file: String) throws(SimulationError) {
        let node: YAMLNode?
        do {
            node = try YAMLNode(parsing: Array(text.utf8))
        } catch {
            throw .malformed(file: file, line: error.line, error.reason)
        }
        guard let node else { throw .malformed(file: file, line: 1, "the file is empty") }
        self.init(node, file: file)
    }

    /// Where it stands, counted from 1.
    var line: Int { node.line }

    func fault(_ message: String) -> SimulationError { .malformed(file: file, line: line, message) }

    /// What a reader of texts makes of the value.
    func read<Value>(
        _ what: String, _ body: (String) throws(SyntaxFault) -> Value
    ) throws(SimulationError) -> Value {
        guard let text = node.text else { throw fault("\(what) must be one value") }
        do { return try body(text) } catch { throw fault("\(what): \(error.message)") }
    }

    /// Text as it stands.
    func text(_ what: String) throws(SimulationError) -> String {
        try read(what) { (text) throws(SyntaxFault) in text }
    }

    /// Whether it is one value rather than a list or a mapping.
    var isScalar: Bool { node.text != nil }

    /// The values of a list.
    func list(_ what: String) throws(SimulationError) -> [YAMLValue] {
        guard let list = node.list else { throw fault("\(what) must be a list: [a, b], or lines that begin with -") }
        return list.map { YAMLValue($0, file: file) }
    }

    /// Names with a value each, in order.
    func entries(_ what: String) throws(SimulationError) -> [(name: String, value: YAMLValue)] {
        guard let table = node.table else { throw fault("\(what) must be a table of names and values: NAME: …") }
        var result: [(name: String, value: YAMLValue)] = []
        for (key, value) in table {
            let place = YAMLValue(key, file: file)
            let name = try place.text("a name")
            guard !name.isEmpty, name.allSatisfy(Self.isAllowed) else {
                throw place.fault("'\(name)' is not a name; use letters, digits, -, _ and .")
            }
            result.append((name, YAMLValue(value, file: file)))
        }
        return result
    }

    private static func isAllowed(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-_.".contains(character)
    }

    /// The fields of something: all of them are among those allowed.
    func fields(_ what: String, _ allowed: [String]) throws(SimulationError) -> [String: YAMLValue] {
        if node.isNull { return [:] }
        var fields: [String: YAMLValue] = [:]
        for (name, value) in try entries(what) {
            guard allowed.contains(name) else {
                throw value.fault("\(what) has no key '\(name)'; use \(allowed.joined(separator: ", "))")
            }
            fields[name] = value
        }
        return fields
    }
}
