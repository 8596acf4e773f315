import Glibc

/// Clicks for comparing two rooms by ear: one a second, short and bright, so that a millisecond between them can be
/// told.
package enum ClickTrack {
    /// Frames a second.
    package static let sampleRate = 48_000

    private static let amplitude = 0.35
    /// Seconds in which the click falls to 1/e.
    private static let decay = 0.003
    /// Seconds in which it rises.
    private static let attack = 0.000_3
    private static let tones = [1_700.0, 3_900.0]
    /// Seconds from the beginning of each second to the click: a change made right after one is heard is over before
    /// the next.
    private static let place = 0.5

    /// `seconds` whole seconds with a click in each, full scale at ±1.
    package static func samples(seconds: Int) -> [Float] {
        let length = sampleRate / 20
        let click = (0..<length).map { frame -> Float in
            let time = Double(frame) / Double(sampleRate)
            let tone = tones.reduce(0) { $0 + sin(2 * Double.pi * $1 * time) } / Double(tones.count)
            return Float(amplitude * tone * min(1, time / attack) * exp(-time / decay))
        }
        var samples = [Float](repeating: 0, count: max(0, seconds) * sampleRate)
        for second in 0..<max(0, seconds) {
            let start = second * sampleRate + Int(place * Double(sampleRate))
            for (index, value) in click.enumerated() { samples[start + index] = value }
        }
        return samples
    }
}
