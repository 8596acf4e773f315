/// Times as people write them to a program: `200ms`, `10s`, `1h`.
package enum ShortTime {
    private static let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]

    /// The time in seconds; nil for what is none.
    package static func seconds(_ text: String) -> Double? {
        guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
            let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0
        else { return nil }
        return number * factor
    }
}
