/// Times as text: nanoseconds here, `12.500s` or `1m30s` there.
enum TimeText {
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ]

    /// Seconds with three digits behind the point, or as many as it takes to be exact.
    static func text(_ nanoseconds: Int64) -> String {
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var digits = String(rest)
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.count > 3, digits.hasSuffix("0") { digits.removeLast() }
        return "\(nanoseconds < 0 ? "-" : "")\(whole).\(digits)s"
    }

    /// The time of a text: numbers with units, one behind the other, after a sign if there is one.
    static func parse(_ text: some StringProtocol) throws(SyntaxFault) -> Int64 {
        var rest = text[...]
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest.removeFirst() }
        guard !rest.isEmpty else { throw fault(text) }
        var sum: Int64 = 0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let unit = units.first(where: { $0.name == name })?.nanoseconds,
                let part = scaled(number, by: unit)
            else { throw fault(text) }
            let (next, overflow) = sum.addingReportingOverflow(part)
            guard !overflow else { throw fault(text) }
            sum = next
        }
        return isNegative ? -sum : sum
    }

    /// The same where only times of a range are allowed.
    static func parse(_ text: String, in range: ClosedRange<Int64>) throws(SyntaxFault) -> Int64 {
        let time = try parse(text)
        guard range.contains(time) else {
            let allowed = "\(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
            throw SyntaxFault("'\(text)' is out of range; use \(allowed)")
        }
        return time
    }

    /// A decimal number times `unit`, rounded down; nil for what is no number or too large.
    static func scaled(_ text: some StringProtocol, by unit: Int64) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Int64(parts[0]), whole >= 0 else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return product }
        var digits = parts[1]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        digits = digits.prefix(9)
        guard var fraction = Int64(digits) else { return nil }
        for _ in digits.count..<9 { fraction *= 10 }
        let (high, low) = fraction.multipliedFullWidth(by: unit)
        let share = Int64(1_000_000_000).dividingFullWidth((high, low)).quotient
        let (sum, tooLarge) = product.addingReportingOverflow(share)
        return tooLarge ? nil : sum
    }

    private static func fault(_ text: some StringProtocol) -> SyntaxFault {
        SyntaxFault("'\(text)' is not a time; use numbers with h, m, s, ms, us or ns, such as 12.5s or 1m30s")
    }
}
