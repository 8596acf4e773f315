package import TuttiChain

/// One side of a Linkwitz-Riley crossover: a Butterworth filter of half the order, twice.
///
/// Both sides of one frequency and slope add up to an all-pass. With 12 dB an octave they are half a turn apart, so the
/// high side is inverted. (S. Linkwitz, "Active Crossover Networks for Noncoincident Drivers", JAES 24 (1), 1976.)
package final class CrossoverProcessor: AudioProcessor {
    private let cascade: BiquadCascade
    private let tailFrames: Int

    /// One side.
    ///
    /// - Throws: `.settings` for values outside their limits, `.unstable` for a frequency that is not below half of
    ///   the sample rate.
    package init(_ settings: Crossover, _ shape: Shape) throws(EffectError) {
        try EffectError.check(.crossover(settings))
        let biquads = try Self.biquads(settings, sampleRate: shape.sampleRate)
        tailFrames = biquads.reduce(0) { $0 + $1.tail }
        cascade = BiquadCascade(biquads, channelCount: shape.channelCount)
        super.init(shape)
    }

    /// The filters of a side, whose product is its response.
    ///
    /// - Throws: `.unstable` for a frequency that is not below half of the sample rate.
    package static func biquads(_ settings: Crossover, sampleRate: Int) throws(EffectError) -> [Biquad] {
        let kind: EQBand.Kind = settings.side == .low ? .lowPass : .highPass
        var biquads: [Biquad] = []
        for q in qualities(slope: settings.slope) {
            biquads.append(try Biquad(EQBand(kind, frequency: settings.frequency, q: q), sampleRate: sampleRate))
        }
        if settings.slope == 12, settings.side == .high {
            biquads[0].b0.negate()
            biquads[0].b1.negate()
            biquads[0].b2.negate()
        }
        return biquads
    }

    /// Quality factors of the second-order filters: two real poles for 12 dB, Butterworth's of order 2 or 4 twice.
    private static func qualities(slope: Int) -> [Double] {
        switch slope {
        case 12: [0.5]
        case 24: [0.707_106_781_186_547_5, 0.707_106_781_186_547_5]
        default: [0.541_196_100_146_197, 0.541_196_100_146_197, 1.306_562_964_876_377, 1.306_562_964_876_377]
        }
    }

    override package var tail: Int { tailFrames }
    override package func process(_ planes: Planes, frames: Int) { cascade.process(planes, frames: frames) }
    override package func reset() { cascade.reset() }
}
