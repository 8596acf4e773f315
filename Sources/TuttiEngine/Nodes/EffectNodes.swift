public import TuttiChain
import TuttiEffects

/// An equaliser.
public final class EQNode: EffectNode, @unchecked Sendable {
    /// Filters one after the other, 1 … 128.
    public init(bands: [EQBand], name: String = "equaliser") { super.init(name: name, .equalizer(bands)) }

    /// The filters.
    public var bands: [EQBand] { if case .equalizer(let bands) = effect { bands } else { [] } }

    /// Sets the filters.
    public func setBands(_ bands: [EQBand]) throws(AudioEngineError) { try set(.equalizer(bands)) }
}

/// Reverberation.
public final class ReverbNode: EffectNode, @unchecked Sendable {
    /// A room; a medium hall by default, half of it dry.
    public init(_ preset: Reverb.Preset = .mediumHall, wetDryMix: Double = 50, name: String = "reverb") {
        super.init(name: name, .reverb(Reverb(preset, wetDryMix: min(max(wetDryMix, 0), 100))))
    }

    /// What is set.
    public var reverb: Reverb { if case .reverb(let reverb) = effect { reverb } else { Reverb() } }

    /// How much of what is heard is reverberation, 0 … 100 per cent. Other numbers are held inside; NaN changes nothing.
    public var wetDryMix: Double {
        get { reverb.wetDryMix }
        set {
            guard !newValue.isNaN else { return }
            try? set(.reverb(Reverb(reverb.preset, wetDryMix: min(max(newValue, 0), 100))))
        }
    }

    /// Sets the room.
    public func loadPreset(_ preset: Reverb.Preset) throws(AudioEngineError) {
        try set(.reverb(Reverb(preset, wetDryMix: wetDryMix)))
    }
}

/// A ceiling that no peak exceeds.
public final class LimiterNode: EffectNode, @unchecked Sendable {
    /// A limiter.
    public init(_ limiter: Limiter = Limiter(), name: String = "limiter") { super.init(name: name, .limiter(limiter)) }

    /// Sets the ceiling and the release.
    public func set(_ limiter: Limiter) throws(AudioEngineError) { try set(.limiter(limiter)) }
}

/// Less difference between loud and soft.
public final class CompressorNode: EffectNode, @unchecked Sendable {
    /// A compressor.
    public init(_ compressor: Compressor = Compressor(), name: String = "compressor") {
        super.init(name: name, .compressor(compressor))
    }

    /// Sets the compressor.
    public func set(_ compressor: Compressor) throws(AudioEngineError) { try set(.compressor(compressor)) }
}

/// Echoes, or a plain delay.
public final class DelayNode: EffectNode, @unchecked Sendable {
    /// A delay.
    public init(_ delay: Delay, name: String = "delay") { super.init(name: name, .delay(delay)) }

    /// Sets the delay.
    public func set(_ delay: Delay) throws(AudioEngineError) { try set(.delay(delay)) }
}

/// A little of each side on the other, for headphones.
public final class CrossfeedNode: EffectNode, @unchecked Sendable {
    /// Crossfeed.
    public init(_ crossfeed: Crossfeed = Crossfeed(), name: String = "crossfeed") {
        super.init(name: name, .crossfeed(crossfeed))
    }

    /// Sets the corner and the level.
    public func set(_ crossfeed: Crossfeed) throws(AudioEngineError) { try set(.crossfeed(crossfeed)) }
}

/// One side of a crossover. Both sides are two nodes that one output feeds.
public final class CrossoverNode: EffectNode, @unchecked Sendable {
    /// One side.
    public init(_ crossover: Crossover, name: String = "crossover") { super.init(name: name, .crossover(crossover)) }

    /// Sets the side, the frequency and the slope.
    public func set(_ crossover: Crossover) throws(AudioEngineError) { try set(.crossover(crossover)) }
}
