/// The words of one effect in a text, one after the other.
struct EffectWords {
    struct Word {
        /// What stands before `=`, in lower case; nil without one.
        var name: String?
        var text: String
        /// Whether it was in quotation marks, and is text for sure.
        var isQuoted = false
    }

    private(set) var words: [Word] = []
    let line: Int

    /// Units that may stand apart from their number.
    private static let units: Set<String> = ["hz", "khz", "db", "dbfs", "dbtp", "ms", "s", "%"]

    /// Takes a text apart at its spaces. `"…"` keeps spaces, with `\"` and `\\` for these characters in it; `#` at the
    /// beginning of a word begins a comment.
    ///
    /// - Throws: `ChainError.syntax`.
    init(_ text: some StringProtocol, line: Int) throws(ChainError) {
        self.line = line
        var word = Word(name: nil, text: "")
        var isInWord = false
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            if scalar.properties.isWhitespace {
                if isInWord { add(word) }
                (word, isInWord) = (Word(name: nil, text: ""), false)
            } else if scalar == "#", !isInWord {
                break
            } else if scalar == "\"", word.text.isEmpty, !word.isQuoted {
                word.text = try Self.quoted(&scalars, line)
                (word.isQuoted, isInWord) = (true, true)
            } else if word.isQuoted {
                throw .syntax(line: line, "there must be a space after \(ChainNode.quoted(word.text))")
            } else if scalar == "=", word.name == nil {
                (word.name, word.text) = (word.text.lowercased(), "")
                isInWord = true
            } else {
                word.text.unicodeScalars.append(scalar)
                isInWord = true
            }
        }
        if isInWord { add(word) }
    }

    private static func quoted(
        _ scalars: inout some IteratorProtocol<Unicode.Scalar>, _ line: Int
    ) throws(ChainError) -> String {
        var text = ""
        while let scalar = scalars.next() {
            if scalar == "\"" { return text }
            guard let kept = scalar == "\\" ? scalars.next() : scalar else { break }
            text.unicodeScalars.append(kept)
        }
        throw .syntax(line: line, "a \" is missing at the end of \(ChainNode.quoted(text))")
    }

    private mutating func add(_ word: Word) {
        let isUnit = word.name == nil && !word.isQuoted && Self.units.contains(word.text.lowercased())
        if isUnit, let last = words.last, !last.isQuoted, last.text.utf8.last.map({ (48...57).contains($0) }) == true {
            words[words.count - 1].text += word.text
        } else {
            words.append(word)
        }
    }

    /// Takes the first word away.
    mutating func removeFirst() -> Word? { words.isEmpty ? nil : words.removeFirst() }

    func fault(_ reason: String) -> ChainError { .syntax(line: line, reason) }

    /// `text` as one word.
    static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && !text.hasPrefix("#") && !units.contains(text.lowercased())
            && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !"\"\\=;,".unicodeScalars.contains($0) }
        guard !isPlain else { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
