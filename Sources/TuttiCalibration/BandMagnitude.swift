import Glibc
import TuttiChain

/// How much a peak or a low shelf raises a frequency, after the Audio EQ Cookbook of R. Bristow-Johnson.
struct BandMagnitude {
    private let numerator: (sum: Double, linear: Double, square: Double)
    private let denominator: (sum: Double, linear: Double, square: Double)
    private let sampleRate: Double

    /// - Parameter band: a peak or a low shelf, which are all that a correction has; other kinds raise nothing here.
    init(_ band: EQBand, sampleRate: Double) {
        self.sampleRate = sampleRate
        let (b, a) = Self.coefficients(band, sampleRate)
        (numerator, denominator) = (Self.terms(b), Self.terms(a))
    }

    /// Decibels at a frequency in Hz.
    func decibels(at frequency: Double) -> Double {
        let sine = sin(Double.pi * frequency / sampleRate)
        let phi = sine * sine
        func power(_ terms: (sum: Double, linear: Double, square: Double)) -> Double {
            max(terms.sum + phi * (terms.linear + phi * terms.square), 1e-30)
        }
        return 10 * log10(power(numerator) / power(denominator))
    }

    /// |c₀ + c₁z⁻¹ + c₂z⁻²|² as a polynomial of sin²(ω/2), which is exact at low frequencies.
    private static func terms(_ c: (Double, Double, Double)) -> (sum: Double, linear: Double, square: Double) {
        let sum = c.0 + c.1 + c.2
        return (sum * sum, -4 * (c.0 * c.1 + 4 * c.0 * c.2 + c.1 * c.2), 16 * c.0 * c.2)
    }

    private typealias Triple = (Double, Double, Double)

    private static func coefficients(_ band: EQBand, _ sampleRate: Double) -> (b: Triple, a: Triple) {
        let gain = pow(10, band.gain / 40)
        let omega = 2 * Double.pi * min(band.frequency / sampleRate, 0.499)
        let (cosine, alpha) = (cos(omega), sin(omega) / (2 * max(band.q, 0.01)))
        let root = 2 * gain.squareRoot() * alpha
        let (more, less) = (gain + 1, gain - 1)
        switch band.kind {
        case .peak:
            return (
                (1 + alpha * gain, -2 * cosine, 1 - alpha * gain), (1 + alpha / gain, -2 * cosine, 1 - alpha / gain)
            )
        case .lowShelf:
            return (
                (
                    gain * (more - less * cosine + root), 2 * gain * (less - more * cosine),
                    gain * (more - less * cosine - root)
                ),
                (more + less * cosine + root, -2 * (less + more * cosine), more + less * cosine - root)
            )
        case .highShelf, .lowPass, .highPass, .notch, .allPass:
            return ((1, 0, 0), (1, 0, 0))
        }
    }
}
