import Glibc

/// The coefficients of a polyphase interpolation filter: a Kaiser-windowed sinc at 256 fractional delays.
///
/// Rows −1 … 257 are stored one after another, so that a cubic through four neighbouring rows gives the coefficients
/// at any delay (the interpolation error is below −180 dB). Built off the render thread, read on it.
package struct FilterTable: ~Copyable {
    /// Fractional delays per source frame.
    package static let phases = 256
    /// Coefficients of a row; a multiple of 16.
    package let taps: Int
    /// The first coefficient of row −1; 259 rows of `taps` follow.
    let rows: UnsafeMutablePointer<Float>

    /// A filter from `sourceRate` to `outputRate` that is flat to 20 kHz (to 0.907 of the lower Nyquist frequency below
    /// 44.1 kHz) and suppresses images and aliases of that band by more than 130 dB.
    package init(sourceRate: Double, outputRate: Double) {
        let lower = min(sourceRate, outputRate)
        let isRoomy = lower >= 47_999
        let attenuation = isRoomy ? 150.0 : 136.0
        let stretch = max(1, sourceRate / outputRate)
        let wanted = (isRoomy ? 64.0 : 96.0) * stretch
        taps = Int((wanted / 16).rounded(.up)) * 16
        // Half the output's (or source's) rate, in cycles per source frame, is the middle of the transition.
        let cutoff = 0.5 * lower / sourceRate
        let beta = 0.1102 * (attenuation - 8.7)
        rows = .allocate(capacity: 259 * taps)
        let half = taps / 2
        let scale = 1 / Self.besselI0(beta)
        for row in 0..<259 {
            let delay = Double(row - 1) / Double(Self.phases)
            for tap in 0..<taps {
                let x = Double(tap - half + 1) - delay
                (rows + row * taps + tap).initialize(
                    to: Float(Self.sinc(x, cutoff: cutoff) * Self.kaiser(x / Double(half), beta: beta) * scale))
            }
        }
    }

    deinit { rows.deallocate() }

    private static func sinc(_ x: Double, cutoff: Double) -> Double {
        let angle = 2 * Double.pi * cutoff * x
        return abs(angle) < 1e-9 ? 2 * cutoff : 2 * cutoff * sin(angle) / angle
    }

    /// The window at `x` in −1 … 1 before division by I₀(β); 0 outside.
    private static func kaiser(_ x: Double, beta: Double) -> Double {
        let inside = 1 - x * x
        return inside < 0 ? 0 : besselI0(beta * inside.squareRoot())
    }

    /// The modified Bessel function of order zero, by its power series.
    private static func besselI0(_ x: Double) -> Double {
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
