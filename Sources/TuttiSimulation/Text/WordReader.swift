/// The words of a line, one after the other.
struct WordReader {
    private var words: ArraySlice<Substring>

    init(_ line: some StringProtocol) {
        words = Substring(line).split { $0 == " " || $0 == "\t" }[...]
    }

    var isAtEnd: Bool { words.isEmpty }

    /// The next word; `what` names it for people.
    mutating func next(_ what: String) throws(SyntaxFault) -> String {
        guard let word = words.popFirst() else { throw SyntaxFault("\(what) is missing") }
        return String(word)
    }

    /// One of a set of words.
    mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ what: String, _ type: Value.Type
    ) throws(SyntaxFault) -> Value where Value.RawValue == String {
        let word = try next(what)
        guard let value = Value(rawValue: word) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw SyntaxFault("'\(word)' is not a \(what); use \(allowed)")
        }
        return value
    }

    /// `on` or `off`.
    mutating func flag(_ what: String) throws(SyntaxFault) -> Bool {
        switch try next(what) {
        case "on": true
        case "off": false
        case let word: throw SyntaxFault("'\(word)' is not allowed here; use on or off")
        }
    }

    /// A whole number within bounds.
    mutating func integer(_ what: String, in range: ClosedRange<Int>) throws(SyntaxFault) -> Int {
        let word = try next(what)
        guard let value = Int(word), range.contains(value) else {
            throw SyntaxFault("'\(word)' is not a \(what); use \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// `speaker NAME` or `sender NAME`.
    mutating func machine() throws(SyntaxFault) -> Machine {
        switch try next("speaker or sender") {
        case "speaker": .speaker(try next("the speaker's name"))
        case "sender": .sender(try next("the sender's name"))
        case let word: throw SyntaxFault("'\(word)' is not allowed here; use speaker NAME or sender NAME")
        }
    }

    /// - Throws: when there are words left.
    func end() throws(SyntaxFault) {
        if let word = words.first { throw SyntaxFault("'\(word)' is one word too many") }
    }
}
