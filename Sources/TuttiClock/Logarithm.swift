/// The natural logarithm to about 1e-8, without a mathematics library.
enum Logarithm {
    /// ln 2.
    static let ofTwo = 0.693_147_180_559_945_3

    /// The natural logarithm of a positive, finite `value`; that of the least normal number for anything less.
    static func of(_ value: Double) -> Double {
        guard value > Double.leastNormalMagnitude, value.isFinite else { return -708 }
        var mantissa = value.significand
        var exponent = Double(value.exponent)
        if mantissa > 1.414_213_562_373_095 {
            mantissa *= 0.5
            exponent += 1
        }
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        let series = 1 + square * (1 / 3.0 + square * (1 / 5.0 + square * (1 / 7.0 + square * (1 / 9.0))))
        return exponent * ofTwo + 2 * ratio * series
    }
}

/// The logarithm of a product of many factors, with one logarithm for all of them: now and then powers of two are taken
/// out.
struct LogProduct: Sendable {
    private var product = 1.0
    private var exponent: Int64 = 0
    private var count = 0

    /// Takes a factor between 1e-60 and 1e60.
    mutating func multiply(by factor: Double) {
        product *= factor
        count &+= 1
        guard count & 3 == 0 else { return }
        let bits = product.bitPattern
        exponent &+= Int64(bitPattern: bits >> 52 & 0x7FF) &- 1023
        product = Double(bitPattern: bits & 0x800F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    }

    /// The logarithm of all factors together.
    var logarithm: Double { Double(exponent) * Logarithm.ofTwo + Logarithm.of(product) }
}
