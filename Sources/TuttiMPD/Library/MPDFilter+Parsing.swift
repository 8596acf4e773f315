/// Filters as clients write them: expressions since MPD 0.21, and pairs of a tag and a text before.
extension MPDFilter {
    /// Parentheses in each other.
    private static let deepest = 16

    /// Takes the filter at the beginning of a command's arguments, and leaves what follows it.
    ///
    /// - Parameters:
    ///   - isExact: whether case matters, as `find` has it and `search` does not.
    ///   - ends: words that begin what follows, such as `sort`.
    /// - Throws: what is wrong with it.
    package init(
        taking words: inout ArraySlice<String>, isExact: Bool, until ends: Set<String>
    ) throws(MPDFault) {
        var parts: [MPDFilter] = []
        while let word = words.first, !ends.contains(word.lowercased()) {
            words.removeFirst()
            if word.hasPrefix("(") {
                var text = Substring(word)
                parts.append(try Self.expression(&text, isExact, depth: 0))
                Self.skipBlanks(&text)
                guard text.isEmpty else { throw MPDFault(.argument, "Unparsed garbage after expression") }
            } else {
                guard let value = words.popFirst() else {
                    throw MPDFault(.argument, "Incorrect number of filter arguments")
                }
                parts.append(try Self.pair(word, value, isExact))
            }
        }
        self = parts.count == 1 ? parts[0] : .all(parts)
    }

    /// A tag and a text, as older clients send them. `search` looks for a part of the tag then.
    private static func pair(_ name: String, _ value: String, _ isExact: Bool) throws(MPDFault) -> MPDFilter {
        switch name.lowercased() {
        case "base": return .base(trimmed(value))
        case "modified-since": return .modifiedSince(try time(value))
        default: return .text(try field(name), isExact ? .equal : .contains, value, isExact: isExact)
        }
    }

    private static func field(_ name: String) throws(MPDFault) -> Field {
        switch name.lowercased() {
        case "any": return .any
        case "file", "filename": return .file
        default:
            guard let tag = MPDTag(named: name) else { throw MPDFault(.argument, "Unknown filter type: \(name)") }
            return .tag(tag)
        }
    }

    private static func time(_ text: String) throws(MPDFault) -> Int64 {
        guard let time = MPDDate.seconds(of: text) else { throw MPDFault(.argument, "Malformed timestamp") }
        return time
    }

    private static func trimmed(_ path: String) -> String {
        path.split(separator: "/").joined(separator: "/")
    }

    // MARK: Expressions

    private static func expression(
        _ text: inout Substring, _ isExact: Bool, depth: Int
    ) throws(MPDFault) -> MPDFilter {
        guard depth < deepest else { throw MPDFault(.argument, "The expression is too deep") }
        try skip("(", in: &text)
        skipBlanks(&text)
        if text.first == "!" {
            text.removeFirst()
            skipBlanks(&text)
            let inner = try expression(&text, isExact, depth: depth + 1)
            try end(&text)
            return .not(inner)
        }
        guard text.first == "(" else { return try comparison(&text, isExact) }
        var parts = [try expression(&text, isExact, depth: depth + 1)]
        while true {
            skipBlanks(&text)
            if text.first == ")" { break }
            guard word(&text).lowercased() == "and" else { throw MPDFault(.argument, "'AND' expected") }
            skipBlanks(&text)
            parts.append(try expression(&text, isExact, depth: depth + 1))
        }
        try end(&text)
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// What is in parentheses of its own: `TAG OPERATOR 'TEXT'`.
    private static func comparison(_ text: inout Substring, _ isExact: Bool) throws(MPDFault) -> MPDFilter {
        let name = word(&text)
        guard !name.isEmpty else { throw MPDFault(.argument, "Word expected") }
        skipBlanks(&text)
        switch name.lowercased() {
        case "base":
            let folder = trimmed(try quoted(&text))
            try end(&text)
            return .base(folder)
        case "modified-since":
            let since = try time(try quoted(&text))
            try end(&text)
            return .modifiedSince(since)
        case "added-since", "audioformat", "prio": throw MPDFault(.argument, "Tutti cannot filter by \(name)")
        default: break
        }
        let field = try field(name)
        var symbol = operation(&text)
        skipBlanks(&text)
        let value = try quoted(&text)
        try end(&text)
        var isExact = isExact
        for (suffix, exact) in [("_cs", true), ("_ci", false)] where symbol.hasSuffix(suffix) {
            (symbol, isExact) = (String(symbol.dropLast(3)), exact)
        }
        let isNegative = symbol.hasPrefix("!")
        if isNegative { symbol.removeFirst() }
        let known: Comparison
        switch symbol {
        case "==", "=", "eq": known = .equal
        case "contains": known = .contains
        case "starts_with": known = .startsWith
        case "~", "=~": throw MPDFault(.argument, "Tutti has no regular expressions here; use contains")
        default: throw MPDFault(.argument, "Unknown filter operator")
        }
        let filter = MPDFilter.text(field, known, value, isExact: isExact)
        return isNegative ? .not(filter) : filter
    }

    private static func operation(_ text: inout Substring) -> String {
        let symbol = text.prefix { !$0.isWhitespace && $0 != "'" && $0 != "\"" }
        text = text[symbol.endIndex...]
        return symbol.lowercased()
    }

    /// A text between quotes; what follows a backslash is taken as it is.
    private static func quoted(_ text: inout Substring) throws(MPDFault) -> String {
        guard let quote = text.popFirst(), quote == "'" || quote == "\"" else {
            throw MPDFault(.argument, "Quoted string expected")
        }
        var value = ""
        while let character = text.popFirst() {
            if character == quote { return value }
            if character == "\\" {
                guard let escaped = text.popFirst() else { break }
                value.append(escaped)
            } else {
                value.append(character)
            }
        }
        throw MPDFault(.argument, "Closing quote not found")
    }

    private static func word(_ text: inout Substring) -> String {
        let word = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        text = text[word.endIndex...]
        return String(word)
    }

    private static func skipBlanks(_ text: inout Substring) { text = text.drop { $0.isWhitespace } }

    private static func skip(_ character: Character, in text: inout Substring) throws(MPDFault) {
        guard text.popFirst() == character else { throw MPDFault(.argument, "'\(character)' expected") }
    }

    private static func end(_ text: inout Substring) throws(MPDFault) {
        skipBlanks(&text)
        guard text.popFirst() == ")" else { throw MPDFault(.argument, "')' expected") }
    }
}
