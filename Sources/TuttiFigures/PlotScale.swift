import Glibc

/// One axis of a picture: from values to shares of its length, and where its lines are.
package struct PlotScale {
    let lower: Double
    let upper: Double
    let isLogarithmic: Bool
    private let step: Double
    /// Whether a logarithmic axis has lines at 2 and 5 times the powers of ten as well.
    private var isFine = false

    /// An axis from `lower` to `upper` with lines at round numbers.
    package static func linear(_ lower: Double, _ upper: Double) -> PlotScale {
        let span = max(upper - lower, 1e-9)
        let power = pow(10, floor(log10(span / 4)))
        let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= span / 5 } ?? 10 * power
        return PlotScale(lower: lower, upper: lower + span, isLogarithmic: false, step: step)
    }

    /// An axis around zero that holds `reach` to both sides.
    package static func signed(_ reach: Double) -> PlotScale {
        let power = pow(10, floor(log10(max(reach, 1e-3))))
        let nice = [1, 2, 5, 10].map { $0 * power }.first { $0 >= reach } ?? 10 * power
        return PlotScale(lower: -nice, upper: nice, isLogarithmic: false, step: nice / 2)
    }

    /// An axis of whole powers of ten that holds `lower` and `upper`, both above 0.
    package static func logarithmic(_ lower: Double, _ upper: Double) -> PlotScale {
        let low = floor(log10(max(lower, 1e-9)) + 1e-9)
        let high = max(low + 1, ceil(log10(max(upper, 1e-9)) - 1e-9))
        return PlotScale(lower: pow(10, low), upper: pow(10, high), isLogarithmic: true, step: 10)
    }

    /// An axis of frequencies in octaves from `lower` to `upper`, both above 0, with lines at 1, 2 and 5 times the powers
    /// of ten.
    package static func octaves(_ lower: Double, _ upper: Double) -> PlotScale {
        let low = max(lower, 1e-9)
        var scale = PlotScale(lower: low, upper: max(upper, 2 * low), isLogarithmic: true, step: 10)
        scale.isFine = true
        return scale
    }

    /// Where a value lies, 0 to 1; values beyond the ends lie at them.
    func share(_ value: Double) -> Double {
        let share =
            isLogarithmic
            ? (log10(max(value, 1e-12)) - log10(lower)) / (log10(upper) - log10(lower))
            : (value - lower) / (upper - lower)
        return min(1, max(0, share))
    }

    /// Where lines are drawn and named.
    var ticks: [Double] {
        guard !isLogarithmic else {
            if isFine { return fineTicks }
            let decades = Int((log10(upper) - log10(lower)).rounded())
            return (0...max(1, decades)).map { lower * pow(10, Double($0)) }
        }
        let first = (lower / step - 1e-9).rounded(.up)
        let last = (upper / step + 1e-9).rounded(.down)
        guard last >= first, last - first < 100 else { return [lower, upper] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    private var fineTicks: [Double] {
        let first = Int(log10(lower).rounded(.down))
        let last = Int(log10(upper).rounded(.up))
        let (low, high) = (lower * (1 - 1e-9), upper * (1 + 1e-9))
        var ticks: [Double] = []
        for power in first...max(first, last) {
            for digit in [1.0, 2, 5] { ticks.append(digit * pow(10, Double(power))) }
        }
        return ticks.filter { $0 >= low && $0 <= high }
    }
}
