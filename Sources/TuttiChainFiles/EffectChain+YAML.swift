package import TuttiChain

extension EffectChain {
    /// Reads a YAML file: a list `chain` whose items are lines of text or tables as in JSON. JSON's `effects` is
    /// taken for `chain`.
    ///
    ///     chain:
    ///       - eq peak 1000 -3 1.2; lowshelf 80 4
    ///       - limiter: {ceiling: -2}
    ///
    /// - Throws: `ChainError` with its line, for values outside their limits too.
    package init(yaml text: String) throws(ChainError) {
        guard text.utf8.count <= Limits.maximumTextSize else {
            throw .syntax(line: 0, "a chain is longer than \(Limits.maximumTextSize) bytes")
        }
        guard let root = try ChainNode(yaml: text) else { throw .syntax(line: 1, "the file is empty; \(Self.advice)") }
        guard case .table(let entries) = root.content else { throw root.fault("the file is no chain; \(Self.advice)") }
        var items: [ChainNode]?
        for entry in entries {
            guard ["chain", "effects"].contains(entry.name), items == nil else {
                throw entry.value.fault("a chain has no \(ChainNode.quoted(entry.name)) here; \(Self.advice)")
            }
            items = if case .null = entry.value.content { [] } else { try entry.value.list(entry.name) }
        }
        guard let items else { throw root.fault("the file is no chain; \(Self.advice)") }
        self.init()
        for item in items {
            guard effects.count < Self.maximumCount else {
                throw ChainError.tooMany(what: "effects", maximum: Self.maximumCount).located(item.line)
            }
            if let text = item.text {
                effects.append(try Effect(parsing: text, line: item.line))
            } else {
                let effect = try Effect(item)
                do { try effect.validate() } catch { throw error.located(item.line) }
                effects.append(effect)
            }
        }
    }

    private static let advice = "it needs a list chain: with an effect in each line, such as - limit -1"

    /// A YAML file that is read as the same chain.
    package var yaml: String {
        if effects.isEmpty { return "chain: []\n" }
        return "chain:\n" + effects.map { "  - \(Self.scalar($0.description))\n" }.joined()
    }

    /// A line as YAML has it: as it is, or in single quotes if some of it means something else there.
    private static func scalar(_ line: String) -> String {
        let isPlain =
            !line.contains(": ") && !line.contains(" #") && !line.hasSuffix(":")
            && line.unicodeScalars.allSatisfy { (" "..."~").contains($0) }
        if isPlain { return line }
        return "'" + line.replacing("'", with: "''") + "'"
    }
}
