import Glibc
package import TuttiChain

/// Crossfeed for headphones: a low-passed part of each side on the other, as B. B. Bauer proposed ("Stereophonic
/// Earphones and Binaural Loudspeakers", JAES 9 (2), 1961), with the filters of bs2b.
///
/// The other side passes a low pass of first order, whose own delay is that between two ears; the direct side passes a
/// high shelf of first order, so that sound common to both keeps its level: at low frequencies exactly, elsewhere
/// nearly. Sound of other than two channels stays as it is.
package final class CrossfeedProcessor: AudioProcessor {
    /// What the filters remember of one side.
    private struct Side {
        var low = 0.0
        var high = 0.0
    }

    private let lowPole, highPole: Double
    /// Gains of the low pass and of what the shelf takes away, both with the gain that restores the level.
    private let lowGain, shelfLoss, level: Double
    private let sides: UnsafeMutablePointer<Side>

    /// Crossfeed.
    ///
    /// - Throws: `.settings` for values outside their limits.
    package init(_ settings: Crossfeed, _ shape: Shape) throws(EffectError) {
        try EffectError.check(.crossfeed(settings))
        // At low frequencies the other side has −5/6 of the level less 3 dB, the direct one 1/6 of it less 3 dB.
        let other = pow(10, (-settings.level * 5 / 6 - 3) / 20)
        let loss = 1 - pow(10, (settings.level / 6 - 3) / 20)
        let shelf = settings.frequency * exp2(20 * log10(other / loss) / 12)
        let rate = Double(shape.sampleRate)
        lowPole = exp(-2 * Double.pi * settings.frequency / rate)
        highPole = exp(-2 * Double.pi * shelf / rate)
        level = 1 / (1 - loss + other)
        lowGain = level * other * (1 - lowPole)
        shelfLoss = level * loss * (1 - highPole)
        sides = .allocate(capacity: 2)
        sides.initialize(repeating: Side(), count: 2)
        super.init(shape)
    }

    deinit { sides.deallocate() }

    override package var tail: Int {
        shape.channelCount == 2 ? Int((log(1e-5) / log(max(lowPole, highPole))).rounded(.up)) : 0
    }

    override package func process(_ planes: Planes, frames: Int) {
        guard shape.channelCount == 2 else { return }
        let (left, right) = (planes[0], planes[1])
        var (one, two) = (sides[0], sides[1])
        var frame = 0
        while frame < frames {
            let (l, r) = (Double(left[frame]), Double(right[frame]))
            one.low = lowGain * l + lowPole * one.low
            two.low = lowGain * r + lowPole * two.low
            one.high = shelfLoss * l + highPole * one.high
            two.high = shelfLoss * r + highPole * two.high
            left[frame] = Float(level * l - one.high + two.low)
            right[frame] = Float(level * r - two.high + one.low)
            frame += 1
        }
        (sides[0], sides[1]) = (one, two)
    }

    override package func reset() { sides.update(repeating: Side(), count: 2) }
}
