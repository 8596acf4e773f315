/// A part of a chain in JSON or YAML, before it is known what it means. One reader serves both.
package struct ChainNode: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case null
        case flag(Bool)
        case number(Double)
        /// Text in quotes, as JSON has it.
        case text(String)
        /// YAML's values, which are numbers, text or neither, as is wanted.
        case scalar(String)
        case list([ChainNode])
        /// Names with values, each name once.
        case table([Entry])
    }

    package struct Entry: Sendable, Equatable {
        package var name: String
        package var value: ChainNode

        package init(_ name: String, _ value: ChainNode) {
            self.name = name
            self.value = value
        }
    }

    package var content: Content
    /// Where it begins, counted from 1; 0 in JSON, which keeps no lines.
    package var line: Int

    package init(_ content: Content, line: Int = 0) {
        self.content = content
        self.line = line
    }

    /// Texts that errors repeat are cut here.
    private static let longestQuote = 40

    /// `text` in quotes, cut where it is long.
    package static func quoted(_ text: some StringProtocol) -> String {
        let safe = text.unicodeScalars.prefix(longestQuote).map { $0.properties.generalCategory == .control ? "?" : $0 }
        let isCut = text.unicodeScalars.dropFirst(longestQuote).first != nil
        return "'" + String(String.UnicodeScalarView(safe)) + (isCut ? "…'" : "'")
    }

    /// An error that names this line.
    package func fault(_ reason: String) -> ChainError { .syntax(line: line, reason) }

    /// A text, of either notation; nil for anything else.
    package var text: String? {
        switch content {
        case .text(let text), .scalar(let text): text
        default: nil
        }
    }

    /// The values of a list.
    package func list(_ what: String) throws(ChainError) -> [ChainNode] {
        guard case .list(let list) = content else { throw fault("\(what) must be a list") }
        return list
    }

    /// The names and values of a table; nothing stands for an empty one.
    package func table(_ what: String) throws(ChainError) -> [Entry] {
        switch content {
        case .table(let entries): return entries
        case .null: return []
        default: throw fault("\(what) must be a table of names and values")
        }
    }

    /// A number; a YAML value may have a unit.
    package func number(_ what: String, _ quantity: NumberText.Quantity = .plain) throws(ChainError) -> Double {
        switch content {
        case .number(let number): return number
        case .scalar(let text):
            guard let number = NumberText.number(text, quantity) else {
                throw fault("\(what) must be a number, not \(Self.quoted(text))")
            }
            return number
        default: throw fault("\(what) must be a number")
        }
    }

    /// Yes or no.
    package func flag(_ what: String) throws(ChainError) -> Bool {
        switch content {
        case .flag(let flag): return flag
        case .scalar("true"): return true
        case .scalar("false"): return false
        default: throw fault("\(what) must be true or false")
        }
    }
}
