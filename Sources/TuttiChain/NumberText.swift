/// Numbers as people write them, with their units.
package enum NumberText {
    /// What a number counts, which decides the units that may follow it.
    package enum Quantity: Sendable {
        case plain, frequency, decibels, seconds, percent

        /// Units in lower case, the longer ones first, with the power of ten that they stand for.
        var units: [(name: String, exponent: Int)] {
            switch self {
            case .plain: []
            case .frequency: [("khz", 3), ("hz", 0), ("k", 3)]
            case .decibels: [("dbfs", 0), ("dbtp", 0), ("db", 0)]
            case .seconds: [("ms", -3), ("s", 0)]
            case .percent: [("%", 0)]
            }
        }
    }

    /// The longest number that is read, in bytes.
    private static let maximumLength = 64

    /// The number that `text` is: decimal, with a point, perhaps an exponent, and perhaps a unit of its quantity. Nil
    /// for anything else, for infinities and for what is not a number.
    package static func number<Text: StringProtocol>(_ text: Text, _ quantity: Quantity = .plain) -> Double? {
        guard text.utf8.count <= maximumLength else { return nil }
        var rest = text.lowercased().replacing("\u{2212}", with: "-")
        var exponent = 0
        if let unit = quantity.units.first(where: { rest.hasSuffix($0.name) }) {
            rest.removeLast(unit.name.count)
            exponent = unit.exponent
        }
        guard rest.utf8.allSatisfy({ allowed.contains($0) }) else { return nil }
        // The exponent is part of the text, so that 1.1k is as exact as 1100.
        if exponent != 0 {
            guard !rest.contains("e") else { return nil }
            rest += "e\(exponent)"
        }
        guard let number = Double(rest), number.isFinite else { return nil }
        return number
    }

    private static let allowed = Set("0123456789+-.e".utf8)

    /// The shortest text that is read as the same number, whole numbers without a point.
    package static func text(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
