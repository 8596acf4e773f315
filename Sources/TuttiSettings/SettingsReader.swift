import TuttiYAML

/// Makes settings of a YAML file: names with values, lists of values, and tables of these.
struct SettingsReader: ~Copyable {
    private let path: String
    private var events: YAMLEvents
    private var found: [SettingsEntry] = []

    /// Tables in tables, at most.
    private static let depthLimit = 3

    init(path: String, content: [UInt8]) {
        self.path = path
        events = YAMLEvents(content)
    }

    /// Everything that is set.
    ///
    /// - Throws: `SettingsError.malformed`.
    mutating func entries() throws(SettingsError) -> [SettingsEntry] {
        while true {
            let (event, line) = try next()
            switch event {
            case .start: continue
            case .end: return found
            case .table:
                try table(prefix: "", depth: 1)
                try finish()
                return found
            case .text("") where found.isEmpty: continue
            default: throw malformed(line, "not a setting; settings are lines like `name: value`")
            }
        }
    }

    private mutating func table(prefix: String, depth: Int) throws(SettingsError) {
        while true {
            let (event, line) = try next()
            if case .endOfTable = event { return }
            guard case .text(let key) = event, !key.isEmpty else { throw malformed(line, "the name is missing") }
            let name = prefix + key
            let (value, valueLine) = try next()
            switch value {
            case .text(let text): try add(name, .text(text), depth - 1, line)
            case .list: try add(name, .list(try list()), depth - 1, line)
            case .table where depth < Self.depthLimit: try table(prefix: name + ".", depth: depth + 1)
            default: throw malformed(valueLine, "\(name): must be a value, a list of values or a table of these")
            }
        }
    }

    private mutating func add(_ name: String, _ value: SettingValue, _ depth: Int, _ line: Int) throws(SettingsError) {
        if let earlier = found.first(where: { $0.name == name }) {
            throw malformed(line, "\(name) is set twice, first on line \(earlier.line)")
        }
        found.append(SettingsEntry(name: name, depth: depth, value: value, line: line))
    }

    private mutating func list() throws(SettingsError) -> [String] {
        var items: [String] = []
        while true {
            let (event, line) = try next()
            switch event {
            case .text(let text): items.append(text)
            case .endOfList: return items
            default: throw malformed(line, "a list may contain only values")
            }
        }
    }

    /// Nothing may follow the table.
    private mutating func finish() throws(SettingsError) {
        while true {
            let (event, line) = try next()
            switch event {
            case .end: return
            case .start: continue
            default: throw malformed(line, "a file may contain only one table of settings")
            }
        }
    }

    private mutating func next() throws(SettingsError) -> (event: YAMLEvent, line: Int) {
        do throws(YAMLFlaw) {
            return try events.next()
        } catch {
            throw malformed(error.line, "invalid YAML: \(error.reason)")
        }
    }

    private func malformed(_ line: Int, _ reason: String) -> SettingsError {
        .malformed(.file(path: path, line: line), reason: reason)
    }
}
