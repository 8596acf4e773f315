/// The order in which people number things: `2` before `10`, upper and lower case alike.
enum NaturalOrder {
    /// Whether `first` comes before `second`.
    static func precedes(_ first: String, _ second: String) -> Bool {
        let (left, right) = (Array(first.lowercased().unicodeScalars), Array(second.lowercased().unicodeScalars))
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if isDigit(left[i]), isDigit(right[j]) {
                let (a, b) = (number(in: left, from: &i), number(in: right, from: &j))
                if a.count != b.count { return a.count < b.count }
                if a != b { return a.lexicographicallyPrecedes(b) }
            } else {
                if left[i] != right[j] { return left[i] < right[j] }
                i += 1
                j += 1
            }
        }
        let (restOfLeft, restOfRight) = (left.count - i, right.count - j)
        return restOfLeft == restOfRight ? first < second : restOfLeft < restOfRight
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// The digits from `index` on without leading zeros; moves `index` behind them.
    private static func number(in scalars: [Unicode.Scalar], from index: inout Int) -> [Unicode.Scalar] {
        let digits = scalars[index...].prefix(while: isDigit)
        index += digits.count
        return Array(digits.drop { $0 == "0" })
    }
}
