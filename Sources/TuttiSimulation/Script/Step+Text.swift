extension Step: CustomStringConvertible {
    /// The step's line in a script: `12.500s kill speaker kitchen`.
    package var description: String { "\(TimeText.text(at)) \(action)" }

    /// Reads a line.
    init(line: some StringProtocol) throws(SyntaxFault) {
        var words = WordReader(line)
        let word = try words.next("the time")
        at = try TimeText.parse(word)
        guard at >= 0 else { throw SyntaxFault("'\(word)' is before the start; use 0s or more") }
        action = try Action(&words)
        try words.end()
    }
}
