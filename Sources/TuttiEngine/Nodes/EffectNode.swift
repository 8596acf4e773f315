import Synchronization
package import TuttiChain
import TuttiEffects

/// A node with one effect. Its settings may change while it plays: the sound with the new ones fades in within 50 ms,
/// once their filters have settled.
public class EffectNode: AudioNode, @unchecked Sendable {
    struct Settings: Sendable {
        var effect: Effect
        var impulses: [String: ImpulseResponse] = [:]
        var isBypassed = false
        /// Counts changes.
        var version = 0
    }

    let settings: Mutex<Settings>

    init(name: String, _ effect: Effect, impulses: [String: ImpulseResponse] = [:]) {
        settings = Mutex(Settings(effect: effect, impulses: impulses))
        super.init(name: name)
    }

    override var vertex: GraphModel.Vertex { GraphModel.Vertex(name: name, inputCount: 1, hasOutput: true) }

    /// Whether sound passes as it is. A node whose settings cannot be used at its sample rate stays bypassed.
    public final var bypass: Bool {
        get { settings.withLock { $0.isBypassed } }
        set { try? change { $0.isBypassed = newValue } }
    }

    /// The effect, as it is set.
    package final var effect: Effect { settings.withLock { $0.effect } }

    /// Sets the effect.
    ///
    /// - Throws: `invalidEffect`, where the engine has prepared the node; later otherwise, when it does.
    package final func set(_ effect: Effect) throws(AudioEngineError) { try change { $0.effect = effect } }

    final func change(_ body: (inout Settings) -> Void) throws(AudioEngineError) {
        try settings.withLock { settings throws(AudioEngineError) in
            var draft = settings
            body(&draft)
            draft.version += 1
            do throws(ChainError) { try draft.effect.validate() } catch {
                throw .invalidEffect(node: name, reason: "\(error)")
            }
            if let unit = unit as? EffectUnit {
                // Made even where it is not heard: so what is wrong with it is known at once.
                let processor = try makeProcessor(draft, unit.shape)
                unit.slot.offer(draft.isBypassed ? nil : processor)
            }
            settings = draft
        }
    }

    private func makeProcessor(_ settings: Settings, _ shape: UnitShape) throws(AudioEngineError) -> AudioProcessor {
        do throws(EffectError) {
            return try ChainProcessor(
                EffectChain([settings.effect]), impulses: settings.impulses, EffectUnit.processorShape(shape))
        } catch {
            throw .invalidEffect(node: name, reason: "\(error)")
        }
    }

    override func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit {
        let settings = settings.withLock { $0 }
        let processor = try makeProcessor(settings, shape)
        return EffectUnit(shape, settings.isBypassed ? nil : processor, version: settings.version)
    }

    override func adopt(_ unit: RenderUnit, latencyToOutput: Int) {
        settings.withLock { settings in
            super.adopt(unit, latencyToOutput: latencyToOutput)
            // Settings that came while the unit was made.
            guard let unit = unit as? EffectUnit, unit.isOlder(than: settings.version) else { return }
            unit.slot.offer(settings.isBypassed ? nil : try? makeProcessor(settings, unit.shape))
        }
    }
}
