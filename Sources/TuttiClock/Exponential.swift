/// The exponential function where four digits suffice, without a mathematics library.
enum Exponential {
    /// e to the power of −`power`; 0 beyond 30.
    static func ofNegative(_ power: Double) -> Double {
        guard power < 30 else { return 0 }
        var value = 1 - max(power, 0) / 4096
        for _ in 0..<12 { value *= value }
        return value
    }
}
