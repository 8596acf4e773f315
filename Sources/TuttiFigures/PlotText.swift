/// Numbers in pictures.
enum PlotText {
    /// The number with this many digits after the point, 0 to 2.
    static func number(_ value: Double, digits: Int) -> String {
        let scale = [1.0, 10, 100][min(2, max(0, digits))]
        guard abs(value) < 1e15 else { return value < 0 ? "-inf" : "inf" }
        let scaled = Int((abs(value) * scale).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole).\(digits > 1 && rest < 10 ? "0" : "")\(rest)"
    }

    /// The number with as many digits as it has use for: 0.25, 3.4, 185.
    static func tick(_ value: Double) -> String {
        if value == value.rounded() { return number(value, digits: 0) }
        return number(value, digits: abs(value) >= 100 ? 0 : abs(value) >= 1 ? 1 : 2)
    }
}
