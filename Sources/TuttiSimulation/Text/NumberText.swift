/// Shares, rates and other numbers as text.
enum NumberText {
    /// A finite number.
    static func number(_ text: some StringProtocol) throws(SyntaxFault) -> Double {
        guard let value = Double(text), value.isFinite else { throw SyntaxFault("'\(text)' is not a number") }
        return value
    }

    /// A share from 0 to 1, also as `2%`.
    static func share(_ text: some StringProtocol) throws(SyntaxFault) -> Double {
        let value = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
        guard let value, value >= 0, value <= 1 else {
            throw SyntaxFault("'\(text)' is not a share; use 0 to 1, or 0% to 100%")
        }
        return value
    }

    /// Bits a second, also as `500k`, `20M` or `1G`.
    static func rate(_ text: some StringProtocol) throws(SyntaxFault) -> Int64 {
        let units: [Character: Int64] = ["k": 1_000, "M": 1_000_000, "G": 1_000_000_000]
        let unit = text.last.flatMap { units[$0] }
        guard let value = TimeText.scaled(unit == nil ? text[...] : text.dropLast(), by: unit ?? 1), value > 0 else {
            throw SyntaxFault("'\(text)' is not a rate; use bits a second, such as 500k or 20M")
        }
        return value
    }

    /// Bits a second in the largest unit that needs no fraction.
    static func text(rate: Int64) -> String {
        for (name, unit) in [("G", Int64(1_000_000_000)), ("M", 1_000_000), ("k", 1_000)]
        where rate != 0 && rate.isMultiple(of: unit) {
            return "\(rate / unit)\(name)"
        }
        return "\(rate)"
    }
}
