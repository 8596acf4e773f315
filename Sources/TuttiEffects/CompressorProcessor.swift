import Glibc
package import TuttiChain

/// A compressor that turns all channels down alike.
///
/// Feed-forward, with the gain computer and the smoothing in decibels: a soft knee of second order and the smooth
/// decoupled peak detector of D. Giannoulis, M. Massberg and J. D. Reiss, "Digital Dynamic Range Compressor Design – A
/// Tutorial and Analysis", JAES 60 (6), 2012 (equations 4 and 17). The level is the loudest channel's.
package final class CompressorProcessor: AudioProcessor {
    /// What the detector remembers: decibels of reduction, held by the release and smoothed by the attack.
    private struct Detector {
        var held = 0.0
        var smoothed = 0.0
    }

    /// Decibels of a factor of two.
    private static let octave = 20 * log10(2.0)
    /// Louder input counts as this loud (+120 dBFS), infinities too.
    private static let loudest: Float = 1e6

    private let threshold, slope, knee, attack, release, makeUp: Double
    /// The level where the knee begins, linear: below it there is nothing to compute.
    private let onset: Float
    private let detector: UnsafeMutablePointer<Detector>

    /// A compressor.
    ///
    /// - Throws: `.settings` for values outside their limits.
    package init(_ settings: Compressor, _ shape: Shape) throws(EffectError) {
        try EffectError.check(.compressor(settings))
        let rate = Double(shape.sampleRate)
        threshold = settings.threshold
        slope = 1 - 1 / settings.ratio
        knee = settings.knee
        attack = exp(-1 / (settings.attack * rate))
        release = exp(-1 / (settings.release * rate))
        makeUp = settings.makeUpGain / Self.octave
        onset = Float(pow(10, (settings.threshold - settings.knee / 2) / 20))
        detector = .allocate(capacity: 1)
        detector.initialize(to: Detector())
        super.init(shape)
    }

    deinit { detector.deallocate() }

    override package func process(_ planes: Planes, frames: Int) {
        var (held, smoothed) = (detector.pointee.held, detector.pointee.smoothed)
        let channelCount = shape.channelCount
        var frame = 0
        while frame < frames {
            // A comparison with what is no number is false, so that it counts as silence.
            var peak: Float = 0
            var channel = 0
            while channel < channelCount {
                let level = abs(planes[channel][frame])
                if level > peak { peak = level }
                channel += 1
            }
            let wanted = peak > onset ? reduction(min(peak, Self.loudest)) : 0
            held = max(wanted, release * held + (1 - release) * wanted)
            smoothed = attack * smoothed + (1 - attack) * held
            let gain = exp2(makeUp - smoothed / Self.octave)
            channel = 0
            while channel < channelCount {
                planes[channel][frame] = Float(Double(planes[channel][frame]) * gain)
                channel += 1
            }
            frame += 1
        }
        detector.pointee = Detector(held: held, smoothed: smoothed)
    }

    /// Decibels by which a steady level is turned down.
    @inline(__always)
    private func reduction(_ level: Float) -> Double {
        let over = log2(Double(level)) * Self.octave - threshold
        guard 2 * over > -knee else { return 0 }
        guard 2 * over < knee else { return slope * over }
        let into = over + knee / 2
        return slope * into * into / (2 * knee)
    }

    override package func reset() { detector.pointee = Detector() }
}
