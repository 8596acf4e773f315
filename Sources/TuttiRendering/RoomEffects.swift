import Dispatch
import Synchronization
package import TuttiChain
package import TuttiEffects
import TuttiRealtime

/// What the sound of an output goes through: kept from one device to the next, made anew for each, and exchanged while
/// it plays.
package final class RoomEffects: Sendable {
    /// What is set, and what it comes to.
    package struct Setting: Sendable, Equatable {
        /// The effects; none leaves sound as it is.
        package var chain = EffectChain()
        /// Frames by which they are late, which the output makes up for.
        package var latencyFrames = 0
        /// Frames a second that the latency is counted in.
        package var sampleRate = 0
        /// What share of a processor they take, as measured here; 1 is all of one.
        package var load = 0.0

        /// Nothing set.
        package init() {}

        /// Seconds by which they are late.
        package var latency: Double { sampleRate > 0 ? Double(latencyFrames) / Double(sampleRate) : 0 }
    }

    private struct State {
        var setting = Setting()
        var impulses: [String: ImpulseResponse] = [:]
        var slot: EffectSlot?
        /// Makes what stands in the place of a chain.
        var maker: (@Sendable (AudioProcessor.Shape) throws(EffectTrialError) -> AudioProcessor)?
        /// Why what is set cannot be used on the present device; empty when it can.
        var trouble = ""
    }

    /// Until a device has been open.
    private static let usualShape = AudioProcessor.Shape(sampleRate: 48_000, channelCount: 2, maximumFrames: 480)
    /// Seconds until the render thread has given back what another processor has taken over from.
    private static let exchange = 3.0

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tutti-effects", qos: .utility)
    private let counters: RenderCounters

    /// Effects of the output that `counters` tell of; none at first.
    package init(counters: RenderCounters) { self.counters = counters }

    /// What is set.
    package var setting: Setting { state.withLock { $0.setting } }

    /// Why what is set is not heard; empty when it is.
    package var trouble: String { state.withLock { $0.trouble } }

    /// Sets other effects, which are heard after some hundredths of a second more than they are late.
    ///
    /// Makes and tries them first, which takes as long as their impulse responses are long; not for a thread that others
    /// wait for. What was set before plays on where they cannot be set.
    ///
    /// - Throws: why they cannot be made, or are too much for this host or for ears.
    @discardableResult
    package func set(
        _ chain: EffectChain, impulses: [String: ImpulseResponse]
    ) throws(EffectTrialError) -> Setting {
        let shape = state.withLock { $0.slot?.shape } ?? Self.usualShape
        var setting = Setting()
        (setting.chain, setting.sampleRate) = (chain, shape.sampleRate)
        var processor: AudioProcessor?
        if !chain.effects.isEmpty {
            let made = try Self.processor(chain, impulses, shape)
            let trial = EffectTrial(made)
            try trial.check()
            made.reset()
            (setting.latencyFrames, setting.load) = (made.latency, trial.load)
            processor = made
        }
        let slot = state.withLock { state in
            (state.setting, state.impulses, state.trouble) = (setting, impulses, "")
            return state.slot
        }
        guard let slot else { return setting }
        // A device may have come in between, for which others are to be made.
        if slot.shape == shape { offer(processor, to: slot) } else { remake(for: slot) }
        return setting
    }

    /// Sets what comes of an edit, on a thread of its own; edits are carried out one after the other.
    ///
    /// - Parameter impulses: the impulse responses of these names.
    package func apply(
        _ edit: EffectEdit,
        impulses: @escaping @Sendable ([String]) throws(EffectTrialError) -> [String: ImpulseResponse],
        completion: @escaping @Sendable (Result<Setting, EffectTrialError>) -> Void
    ) {
        queue.async {
            do throws(EffectTrialError) {
                let chain = self.setting.chain.applying(edit)
                completion(.success(try self.set(chain, impulses: try impulses(chain.impulses))))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Has the sound go through what `maker` makes for each device, in place of a chain.
    package func set(
        _ maker: @escaping @Sendable (AudioProcessor.Shape) throws(EffectTrialError) -> AudioProcessor
    ) {
        let slot = state.withLock { state in
            state.maker = maker
            return state.slot
        }
        if let slot { remake(for: slot) }
    }

    /// The slot for a device that is about to play, with what is set.
    func slot(sampleRate: Int, maximumFrames: Int) -> EffectSlot {
        let slot = EffectSlot(sampleRate: sampleRate, maximumFrames: maximumFrames)
        state.withLock { $0.slot = slot }
        remake(for: slot)
        return slot
    }

    private func remake(for slot: EffectSlot) {
        let (setting, impulses, maker) = state.withLock { ($0.setting, $0.impulses, $0.maker) }
        guard maker != nil || !setting.chain.effects.isEmpty else { return offer(nil, to: slot) }
        do throws(EffectTrialError) {
            let processor: AudioProcessor
            if let maker {
                processor = try maker(slot.shape)
            } else {
                processor = try Self.processor(setting.chain, impulses, slot.shape)
            }
            state.withLock { state in
                (state.setting.latencyFrames, state.setting.sampleRate) = (processor.latency, slot.shape.sampleRate)
                state.trouble = ""
            }
            offer(processor, to: slot)
        } catch {
            state.withLock { $0.trouble = "effects are off: \(error)" }
            offer(nil, to: slot)
        }
    }

    private func offer(_ processor: AudioProcessor?, to slot: EffectSlot) {
        let latency = processor.map { $0.latency + 2 * slot.shape.maximumFrames } ?? 0
        let nanoseconds = Int64(latency) * 1_000_000_000 / Int64(slot.shape.sampleRate)
        counters.effectLatency.store(nanoseconds, ordering: .relaxed)
        slot.offer(processor)
        queue.asyncAfter(deadline: .now() + Self.exchange) { slot.collect() }
    }

    private static func processor(
        _ chain: EffectChain, _ impulses: [String: ImpulseResponse], _ shape: AudioProcessor.Shape
    ) throws(EffectTrialError) -> AudioProcessor {
        do {
            return try ChainProcessor(chain, impulses: impulses, shape)
        } catch {
            throw .unusable(error)
        }
    }
}
