package import TuttiChain

/// An equaliser: second-order filters one after the other.
///
/// Coefficients and state are 64-bit numbers. Bands that change nothing (a peak of 0 dB) cost nothing.
package final class EqualizerProcessor: AudioProcessor {
    private let cascade: BiquadCascade
    private let tailFrames: Int

    /// An equaliser.
    ///
    /// - Throws: `.settings` for values outside their limits, `.unstable` for a frequency that is not below half of
    ///   the sample rate.
    package convenience init(bands: [EQBand], _ shape: Shape) throws(EffectError) {
        try self.init(bands: bands, isWide: nil, shape)
    }

    /// An equaliser that uses AVX2 and FMA or not, whatever the processor has; for tests.
    package init(bands: [EQBand], isWide: Bool?, _ shape: Shape) throws(EffectError) {
        try EffectError.check(.equalizer(bands))
        var biquads: [Biquad] = []
        for band in bands { biquads.append(try Biquad(band, sampleRate: shape.sampleRate)) }
        tailFrames = biquads.reduce(0) { $1.isIdentity ? $0 : $0 + $1.tail }
        cascade = BiquadCascade(biquads, channelCount: shape.channelCount, isWide: isWide)
        super.init(shape)
    }

    override package var tail: Int { tailFrames }
    override package func process(_ planes: Planes, frames: Int) { cascade.process(planes, frames: frames) }
    override package func reset() { cascade.reset() }
}
