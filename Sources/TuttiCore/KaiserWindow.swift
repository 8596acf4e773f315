/// The window that filters are made with (J. Kaiser, 1974). The laboratory has its own, for it judges them.
package enum KaiserWindow {
    /// The modified Bessel function of order zero, by its power series: the window at x in −1 … 1 is I₀(β√(1 − x²)) /
    /// I₀(β).
    package static func besselI0(_ x: Double) -> Double {
        let quarter = x * x / 4
        var (sum, term, n) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= quarter / (n * n)
            sum += term
            n += 1
        }
        return sum
    }
}
