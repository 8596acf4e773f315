import Glibc
import TuttiChain
import TuttiEffects

/// How much a band raises a frequency, exactly also where that is far below the sample rate.
struct BandMagnitude {
    private let numerator: (sum: Double, linear: Double, square: Double)
    private let denominator: (sum: Double, linear: Double, square: Double)
    private let sampleRate: Double

    /// A band that cannot be filtered at this rate raises nothing.
    init(_ band: EQBand, sampleRate: Double) {
        self.sampleRate = sampleRate
        let filter = (try? Biquad(band, sampleRate: Int(sampleRate))) ?? .identity
        numerator = Self.terms((filter.b0, filter.b1, filter.b2))
        denominator = Self.terms((1, filter.a1, filter.a2))
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
}
