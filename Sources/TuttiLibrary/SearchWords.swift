/// What somebody has typed to find something, as FTS5 is asked for it.
///
/// Every word is the beginning of one: `mozart pia` finds Mozart's piano sonatas.
struct SearchWords {
    /// The words, quoted: no character in them has a meaning of its own.
    private let words: [String]
    /// What was typed, as texts are sorted by.
    let key: String

    /// Nil when nothing is left to look for.
    init?(_ text: String) {
        guard let text = LibraryText.clean(text) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
            .filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .prefix(LibraryLimits.words)
        guard !words.isEmpty else { return nil }
        self.words = words.map { "\"" + $0.replacing("\"", with: "\"\"") + "\" *" }
        key = LibraryText.key(text)
    }

    /// An expression that all words match, in any of these columns each, or in any column.
    func expression(in columns: String? = nil) -> String {
        let all = words.joined(separator: " ")
        return columns.map { "{\($0)} : (\(all))" } ?? all
    }

    /// What is behind all texts that begin with what was typed.
    var keyEnd: String { key + "\u{10FFFF}" }
}
