import Glibc

/// Quality factors of filters that other programs describe otherwise, after the Audio EQ Cookbook of R. Bristow-Johnson.
enum FilterShape {
    /// Of a peak, notch or all-pass that is `octaves` wide between the points of half its gain in dB.
    static func quality(octaves: Double) -> Double { 1 / (2 * sinh(log(2) / 2 * octaves)) }

    /// Of a shelf with the Cookbook's slope, of which 1 is the steepest without an overshoot, 12 dB an octave.
    static func quality(slope: Double, gain: Double) -> Double {
        let amplitude = pow(10, gain / 40)
        return 1 / ((amplitude + 1 / amplitude) * (1 / slope - 1) + 2).squareRoot()
    }

    /// The slope of a shelf with a quality factor.
    static func slope(quality: Double, gain: Double) -> Double {
        let amplitude = pow(10, gain / 40)
        return 1 / ((1 / (quality * quality) - 2) / (amplitude + 1 / amplitude) + 1)
    }

    /// How many times higher the middle of a low shelf's slope is than its corner; for a high shelf, how many times
    /// lower. Equalizer APO and the Behringer DCX2496 reckon with corners so.
    static func centre(slope: Double, gain: Double) -> Double { pow(10, abs(gain) / 80 / slope) }

    /// Of the second-order filters that a Butterworth filter of an even order consists of.
    static func butterworthQualities(order: Int) -> [Double] {
        (0..<order / 2).map { 1 / (2 * cos((2 * Double($0) + 1) * .pi / (2 * Double(order)))) }
    }

    /// A factor in decibels.
    static func decibels(_ factor: Double) -> Double { 20 * log10(factor) }

    /// Decibels as a factor.
    static func factor(_ decibels: Double) -> Double { pow(10, decibels / 20) }
}
