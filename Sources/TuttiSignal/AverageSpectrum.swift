import Glibc

/// The mean power of a sound of two channels at each frequency: Hann windows side by side (Welch 1967).
package struct AverageSpectrum: Sendable {
    /// Frames of a window: 2.9 Hz a line at 48 kHz.
    private static let size = 1 << 14

    private let sampleRate: Double
    private let transform = FourierTransform(atLeast: size)
    private let window: [Double]
    private var left: [Double] = []
    private var right: [Double] = []
    private var power = [Double](repeating: 0, count: size / 2 + 1)
    private var count = 0

    /// Nothing heard yet.
    package init(sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
        window = (0..<Self.size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.size)) }
        left.reserveCapacity(Self.size)
        right.reserveCapacity(Self.size)
    }

    /// Adds a frame.
    package mutating func add(_ left: Float, _ right: Float) {
        let weight = window[self.left.count]
        self.left.append(Double(left) * weight)
        self.right.append(Double(right) * weight)
        if self.left.count == Self.size { close() }
    }

    private mutating func close() {
        // Both channels in one transform: their powers at a frequency are in it and in its mirror image.
        transform.forward(&left, &right)
        for line in 0...Self.size / 2 {
            let mirror = (Self.size - line) % Self.size
            power[line] +=
                left[line] * left[line] + right[line] * right[line] + left[mirror] * left[mirror]
                + right[mirror] * right[mirror]
        }
        count += 1
        left.removeAll(keepingCapacity: true)
        right.removeAll(keepingCapacity: true)
    }

    /// The mean level around each frequency, smoothed over a part of an octave: dB relative to a full-scale sine in both
    /// channels, −200 for silence. What is left of a window counts as if silence followed.
    ///
    /// - Parameter octaves: the width that is smoothed over.
    package func levels(at frequencies: [Double], smoothedOver octaves: Double = 1 / 12) -> [Double] {
        var all = self
        while !all.left.isEmpty { all.add(0, 0) }
        guard all.count > 0 else { return frequencies.map { _ in -200 } }
        // A sine of amplitude 1 in both channels has a line of N/4 in each, twice as much power in both and the mirror.
        let full = 4 * Double(Self.size * Self.size) / 16 * Double(all.count)
        return frequencies.map { frequency in
            let mean = all.power(around: frequency, octaves) / full
            return max(-200, 10 * log10(max(mean, 1e-20)))
        }
    }

    /// The mean of the lines around a frequency; between two lines, where there are none.
    private func power(around frequency: Double, _ octaves: Double) -> Double {
        let place = min(max(frequency / sampleRate * Double(Self.size), 0), Double(Self.size / 2))
        let first = Int((place * exp2(-octaves / 2)).rounded(.up))
        let last = min(Self.size / 2, Int((place * exp2(octaves / 2)).rounded(.down)))
        if first < last { return power[first...last].reduce(0, +) / Double(last - first + 1) }
        let (low, share) = (Int(place), place - place.rounded(.down))
        return power[low] * (1 - share) + power[min(low + 1, Self.size / 2)] * share
    }
}
