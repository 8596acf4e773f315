import Yams

/// A value of a YAML file with the line that it stands on.
struct YAMLValue {
    let file: String
    private let node: Node
    /// Where it stands, counted from 1.
    let line: Int

    private init(_ node: Node, file: String, line: Int) {
        self.node = node
        self.file = file
        self.line = node.mark?.line ?? line
    }

    /// The whole of a file.
    ///
    /// - Throws: `SimulationError.malformed` for what is no YAML, or is empty.
    init(text: String, file: String) throws(SimulationError) {
        do {
            guard let node = try Yams.compose(yaml: text) else {
                throw SimulationError.malformed(file: file, line: 1, "there is nothing in it")
            }
            self.init(node, file: file, line: 1)
        } catch let error as YamlError {
            throw Self.malformed(error, file)
        } catch let error as SimulationError {
            throw error
        } catch {
            throw .malformed(file: file, line: 1, "\(error)")
        }
    }

    private static func malformed(_ error: YamlError, _ file: String) -> SimulationError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            .malformed(file: file, line: mark.line, problem)
        case .duplicatedKeysInMapping(let keys, let context):
            .malformed(file: file, line: context.mark.line, "\(keys.joined(separator: ", ")) stands twice")
        default: .malformed(file: file, line: 1, "\(error)".split(separator: "\n").first.map(String.init) ?? "no YAML")
        }
    }

    func fault(_ message: String) -> SimulationError { .malformed(file: file, line: line, message) }

    /// What a reader of texts makes of the value.
    func read<Value>(
        _ what: String, _ body: (String) throws(SyntaxFault) -> Value
    ) throws(SimulationError) -> Value {
        guard let text = node.scalar?.string else { throw fault("\(what) is one value") }
        do { return try body(text) } catch { throw fault("\(what): \(error.message)") }
    }

    /// Text as it stands.
    func text(_ what: String) throws(SimulationError) -> String {
        try read(what) { (text) throws(SyntaxFault) in text }
    }

    /// Whether it is one value rather than a list or a mapping.
    var isScalar: Bool { node.scalar != nil }

    /// The values of a list.
    func list(_ what: String) throws(SimulationError) -> [YAMLValue] {
        guard let sequence = node.sequence else { throw fault("\(what) is a list: [a, b], or lines that begin with -") }
        return sequence.map { YAMLValue($0, file: file, line: line) }
    }

    /// Names with a value each, in order.
    func entries(_ what: String) throws(SimulationError) -> [(name: String, value: YAMLValue)] {
        guard let mapping = node.mapping else { throw fault("\(what) is a list of names with values: NAME: …") }
        var result: [(name: String, value: YAMLValue)] = []
        for (key, value) in mapping {
            let place = YAMLValue(key, file: file, line: line)
            let name = try place.text("a name")
            guard !name.isEmpty, name.allSatisfy(Self.isAllowed) else {
                throw place.fault("'\(name)' is no name: allowed are letters, digits, -, _ and .")
            }
            result.append((name, YAMLValue(value, file: file, line: place.line)))
        }
        return result
    }

    private static func isAllowed(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-_.".contains(character)
    }

    /// The fields of something: all of them are among those allowed.
    func fields(_ what: String, _ allowed: [String]) throws(SimulationError) -> [String: YAMLValue] {
        if node.null != nil { return [:] }
        var fields: [String: YAMLValue] = [:]
        for (name, value) in try entries(what) {
            guard allowed.contains(name) else {
                throw value.fault("\(what) has no '\(name)': allowed are \(allowed.joined(separator: ", "))")
            }
            fields[name] = value
        }
        return fields
    }
}
