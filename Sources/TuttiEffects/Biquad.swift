import Glibc
package import TuttiChain

/// The coefficients of a second-order filter, after the Audio EQ Cookbook of R. Bristow-Johnson (W3C Note, 2021).
///
/// H(z) = (b₀ + b₁ z⁻¹ + b₂ z⁻²) / (1 + a₁ z⁻¹ + a₂ z⁻²).
package struct Biquad: Sendable, Hashable {
    /// The numerator.
    package var b0, b1, b2: Double
    /// The denominator, whose first coefficient is 1.
    package var a1, a2: Double

    /// What changes nothing.
    package static let identity = Biquad(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0)

    /// A filter of these coefficients.
    package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
    }

    /// The filter of a band.
    ///
    /// - Parameter sampleRate: frames a second.
    /// - Throws: `.unstable` where the frequency is not below half of the rate, or the coefficients are not those of
    ///   a stable filter.
    package init(_ band: EQBand, sampleRate: Int) throws(EffectError) {
        guard band.frequency > 0, band.frequency < Double(sampleRate) / 2 else {
            throw .unstable(frequency: band.frequency, sampleRate: sampleRate)
        }
        self = Self.cookbook(band, sampleRate: Double(sampleRate))
        guard isStable else { throw .unstable(frequency: band.frequency, sampleRate: sampleRate) }
    }

    /// Whether all coefficients are numbers and both poles lie inside the unit circle (Jury's criterion).
    package var isStable: Bool {
        b0.isFinite && b1.isFinite && b2.isFinite && abs(a2) < 1 && abs(a1) < 1 + a2
    }

    /// Whether the filter changes nothing.
    package var isIdentity: Bool { b0 == 1 && b1 == a1 && b2 == a2 }

    /// The distance of the farther pole from the origin, 0 ..< 1 where the filter is stable.
    package var poleRadius: Double {
        let discriminant = a1 * a1 / 4 - a2
        return discriminant < 0 ? a2.squareRoot() : abs(a1) / 2 + discriminant.squareRoot()
    }

    /// Frames until what is left of an impulse is 100 dB softer, roughly; at most ten million.
    package var tail: Int {
        let radius = poleRadius
        guard radius > 1e-9 else { return 2 }
        return Int(min(1e7, max(2, log(1e-5) / log(radius)).rounded(.up)))
    }

    /// What the filter makes of a sine: its linear magnitude and its phase in −π … π.
    ///
    /// - Parameters:
    ///   - frequency: Hz.
    ///   - sampleRate: frames a second.
    package func response(at frequency: Double, sampleRate: Double) -> (magnitude: Double, phase: Double) {
        let omega = 2 * Double.pi * frequency / sampleRate
        let numerator = Self.polynomial(b0, b1, b2, at: omega)
        let denominator = Self.polynomial(1, a1, a2, at: omega)
        let magnitude = hypot(numerator.real, numerator.imaginary) / hypot(denominator.real, denominator.imaginary)
        let turn = atan2(numerator.imaginary, numerator.real) - atan2(denominator.imaginary, denominator.real)
        return (magnitude, remainder(turn, 2 * Double.pi))
    }

    /// c₀ + c₁ z⁻¹ + c₂ z⁻² at z = e^(jω), with 1 − cos ω by the half angle: at low frequencies the sum of the
    /// coefficients nearly cancels.
    private static func polynomial(
        _ c0: Double, _ c1: Double, _ c2: Double, at omega: Double
    ) -> (real: Double, imaginary: Double) {
        let (half, full) = (sin(omega / 2), sin(omega))
        let real = (c0 + c1 + c2) - 2 * c1 * half * half - 2 * c2 * full * full
        return (real, -c1 * full - c2 * sin(2 * omega))
    }

    private static func cookbook(_ band: EQBand, sampleRate: Double) -> Biquad {
        let omega = 2 * Double.pi * band.frequency / sampleRate
        let (cosine, alpha) = (cos(omega), sin(omega) / (2 * band.q))
        // 1 − cos ω without cancellation.
        let versine = 2 * sin(omega / 2) * sin(omega / 2)
        let amplitude = pow(10, band.gain / 40)
        switch band.kind {
        case .peak:
            return normalized(
                (1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude),
                (1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude))
        case .lowShelf: return shelf(cosine, alpha, amplitude, sign: 1)
        case .highShelf: return shelf(cosine, alpha, amplitude, sign: -1)
        case .lowPass:
            return normalized((versine / 2, versine, versine / 2), (1 + alpha, -2 * cosine, 1 - alpha))
        case .highPass:
            let share = (1 + cosine) / 2
            return normalized((share, -2 * share, share), (1 + alpha, -2 * cosine, 1 - alpha))
        case .notch:
            return normalized((1, -2 * cosine, 1), (1 + alpha, -2 * cosine, 1 - alpha))
        case .allPass:
            return normalized((1 - alpha, -2 * cosine, 1 + alpha), (1 + alpha, -2 * cosine, 1 - alpha))
        }
    }

    /// A low shelf (`sign` 1), or a high one (−1), which is its mirror image.
    private static func shelf(_ cosine: Double, _ alpha: Double, _ amplitude: Double, sign: Double) -> Biquad {
        let (plus, minus) = (amplitude + 1, sign * (amplitude - 1))
        let width = 2 * amplitude.squareRoot() * alpha
        let (less, more) = (plus - minus * cosine, plus + minus * cosine)
        return normalized(
            (amplitude * (less + width), 2 * amplitude * (minus - plus * cosine), amplitude * (less - width)),
            (more + width, -2 * (minus + plus * cosine), more - width))
    }

    private static func normalized(_ b: (Double, Double, Double), _ a: (Double, Double, Double)) -> Biquad {
        Biquad(b0: b.0 / a.0, b1: b.1 / a.0, b2: b.2 / a.0, a1: a.1 / a.0, a2: a.2 / a.0)
    }
}
