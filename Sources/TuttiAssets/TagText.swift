/// What a medium says of itself, as a person is shown it.
enum TagText {
    /// Longer values are cut.
    private static let maximumCharacters = 1_024

    /// The text without control characters and surrounding blanks.
    static func oneLine(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(maximumCharacters).map { $0.value < 32 || $0.value == 127 ? " " : $0 }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return String(String(result).trimmingBlanks())
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    func trimmingBlanks() -> String {
        var rest = Substring(self)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
