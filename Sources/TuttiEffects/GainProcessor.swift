import Glibc
import TuttiChain

/// Makes sound louder or softer.
package final class GainProcessor: AudioProcessor {
    private let gain: Double

    /// A gain in dB, −120 … 24.
    ///
    /// - Throws: `.settings` for others.
    package init(_ decibels: Double, _ shape: Shape) throws(EffectError) {
        try EffectError.check(.gain(decibels))
        gain = pow(10, decibels / 20)
        super.init(shape)
    }

    override package func process(_ planes: Planes, frames: Int) {
        var channel = 0
        while channel < shape.channelCount {
            let plane = planes[channel]
            var frame = 0
            while frame < frames {
                plane[frame] = Float(Double(plane[frame]) * gain)
                frame += 1
            }
            channel += 1
        }
    }
}
