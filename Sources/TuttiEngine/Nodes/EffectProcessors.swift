import TuttiChain
import TuttiEffects

/// Where effect nodes get their processors from.
enum EffectProcessors {
    /// A processor of one effect.
    static func processor(
        _ effect: Effect, impulses: [String: ImpulseResponse], shape: AudioProcessor.Shape
    ) throws(EffectError) -> AudioProcessor {
        StandInProcessor(effect, shape)
    }
}
