package import TuttiChain

extension AudioProcessor {
    /// The processor of an effect.
    ///
    /// - Parameter impulses: impulse responses by name.
    /// - Throws: what the effect's processor throws; `.noImpulse` where the response of a convolution is not there.
    package static func processor(
        for effect: Effect, impulses: [String: ImpulseResponse], _ shape: Shape
    ) throws(EffectError) -> AudioProcessor {
        switch effect {
        case .gain(let decibels): return try GainProcessor(decibels, shape)
        case .channels(let matrix): return try MatrixProcessor(matrix, shape)
        case .equalizer(let bands): return try EqualizerProcessor(bands: bands, shape)
        case .convolution(let settings):
            guard let impulse = impulses[settings.impulse] else { throw .noImpulse(settings.impulse) }
            return try ConvolutionProcessor(impulse, settings: settings, shape)
        case .reverb(let settings): return try ReverbProcessor(settings, shape)
        case .delay(let settings): return try DelayProcessor(settings, shape)
        case .compressor(let settings): return try CompressorProcessor(settings, shape)
        case .limiter(let settings): return try LimiterProcessor(settings, shape)
        case .crossfeed(let settings): return try CrossfeedProcessor(settings, shape)
        case .crossover(let settings): return try CrossoverProcessor(settings, shape)
        }
    }
}
