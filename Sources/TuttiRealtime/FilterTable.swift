import Glibc
import TuttiCore

/// The coefficients of a polyphase interpolation filter: a Kaiser-windowed sinc at any fractional delay.
///
/// The delays of a source frame are divided into 128 segments; in each of them every coefficient is a parabola of the
/// delay, through its values at the segment's Chebyshev nodes (the error is below −140 dB at the highest frequency and
/// falls by 18 dB an octave below it). Built off the render thread, read on it; one for all resamplers of the same
/// rates.
///
/// Safety of `@unchecked Sendable`: nothing is written after `init`.
package final class FilterTable: @unchecked Sendable {
    /// Segments of delay per source frame.
    package static let segments = 128
    /// Coefficients that lie together: eight of order 0, the same eight's of order 1, then of order 2.
    static let lanes = 8
    /// Coefficients of a filter; a multiple of 16.
    package let taps: Int
    /// Floats of a segment.
    let stride: Int
    /// Segment after segment; within one, u in −½ … ½ around its middle gives c = c₀ + u · (c₁ + u · c₂).
    let parabolas: UnsafeMutablePointer<Float>

    private static let tables = FilterTables()

    /// The filter from `sourceRate` to `outputRate`: that which somebody has, or a new one, which takes some
    /// milliseconds.
    package static func shared(sourceRate: Double, outputRate: Double) -> FilterTable {
        tables.table(sourceRate: sourceRate, outputRate: outputRate)
    }

    /// A filter from `sourceRate` to `outputRate` that is flat to 20 kHz (to 0.907 of the lower Nyquist frequency below
    /// 44.1 kHz) and suppresses images and aliases of that band by more than 130 dB.
    package init(sourceRate: Double, outputRate: Double) {
        precondition(sourceRate > 0 && outputRate > 0, "sample rates are positive")
        let lower = min(sourceRate, outputRate)
        let isRoomy = lower >= 47_999
        let attenuation = isRoomy ? 150.0 : 136.0
        let stretch = max(1, sourceRate / outputRate)
        let wanted = (isRoomy ? 64.0 : 96.0) * stretch
        taps = Int((wanted / 16).rounded(.up)) * 16
        stride = 3 * taps
        // Half the output's (or source's) rate, in cycles per source frame, is the middle of the transition.
        let cutoff = 0.5 * lower / sourceRate
        let beta = 0.1102 * (attenuation - 8.7)
        let half = taps / 2
        let scale = 1 / KaiserWindow.besselI0(beta)
        parabolas = .allocate(capacity: Self.segments * stride)
        // The outer of the three Chebyshev nodes of −½ … ½; the third is 0.
        let node = 0.75.squareRoot() / 2
        for segment in 0..<Self.segments {
            for tap in 0..<taps {
                func coefficient(_ u: Double) -> Double {
                    let x = Double(tap - half + 1) - (Double(segment) + 0.5 + u) / Double(Self.segments)
                    return Self.sinc(x, cutoff: cutoff) * Self.kaiser(x / Double(half), beta: beta) * scale
                }
                let (low, middle, high) = (coefficient(-node), coefficient(0), coefficient(node))
                let first = segment * stride + tap / Self.lanes * 3 * Self.lanes + tap % Self.lanes
                (parabolas + first).initialize(to: Float(middle))
                (parabolas + first + Self.lanes).initialize(to: Float((high - low) / (2 * node)))
                (parabolas + first + 2 * Self.lanes).initialize(
                    to: Float(((high + low) / 2 - middle) / (node * node)))
            }
        }
    }

    deinit { parabolas.deallocate() }

    private static func sinc(_ x: Double, cutoff: Double) -> Double {
        let angle = 2 * Double.pi * cutoff * x
        return abs(angle) < 1e-9 ? 2 * cutoff : 2 * cutoff * sin(angle) / angle
    }

    /// The window at `x` in −1 … 1 before division by I₀(β); 0 outside.
    private static func kaiser(_ x: Double, beta: Double) -> Double {
        let inside = 1 - x * x
        return inside < 0 ? 0 : KaiserWindow.besselI0(beta * inside.squareRoot())
    }
}
