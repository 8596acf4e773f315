import Synchronization
import TuttiClock
import TuttiCore
import TuttiEngine
import TuttiPlayback
import TuttiRealtime
import TuttiRendering

/// A renderer's part of an offline output: decode worker, decks and kernel of a speaker, stepped by `render`.
final class OfflinePort: RenderingPort {
    /// What renders: touched inside the mutex only, which the kernel and the worker do not outlive.
    private struct Engine: ~Copyable {
        let worker: DecodeWorker
        var kernel: RenderKernel
        var scratch: [Float]
    }

    private let renderers: OfflineRenderers
    let stream = StreamBuffer(maximumBytes: RendererCore.maximumBytes)
    private let counters = RenderCounters()
    private let engine: Mutex<Engine>
    private let gain = Mutex((target: Float(1), rampMilliseconds: 0))
    private let effects: EffectSlot

    init(_ renderers: OfflineRenderers) {
        self.renderers = renderers
        let estimates = ClockEstimateSlot()
        estimates.publish(
            ClockEstimate(
                timescale: HostTimeline.timescale, referenceHost: HostTime(nanoseconds: 0), offset: 0, drift: 0,
                offsetSigma: 0, driftSigma: 0))
        counters.isDeviceSettled.store(true, ordering: .relaxed)
        let decks = DeckPair(outputRate: renderers.sampleRate)
        let clock = renderers.clock
        effects = EffectSlot(sampleRate: renderers.sampleRate, maximumFrames: OfflineRenderers.periodFrames)
        engine = Mutex(
            Engine(
                worker: DecodeWorker(
                    stream: stream, now: { clock.now() }, estimates: estimates, correction: .off,
                    counters: counters, leads: .offline),
                kernel: RenderKernel(
                    decks: decks.first, decks.second, maximumPeriodFrames: OfflineRenderers.periodFrames,
                    effects: effects),
                scratch: [Float](repeating: 0, count: 2 * OfflineRenderers.periodFrames)))
        stream.replaceDecks(decks)
        renderers.add(self)
    }

    var clock: PlaybackClock { renderers.clock }

    func process(through engine: AudioEngine) throws(PlaybackError) {
        effects.offer(try EngineProcessor(engine, effects.shape))
    }

    let startLead: Int64 = 0
    let stopLead: Int64 = 0
    let handoverLead: Int64 = 0

    func setGain(_ newGain: Float, rampMilliseconds: Int) {
        gain.withLock { $0 = (newGain, rampMilliseconds) }
    }

    func close() { renderers.remove(self) }

    /// Decodes what is there and adds the frames of `period` to `samples`, from frame `offset` on.
    func add(_ period: RenderPeriod, to samples: inout [Float], at offset: Int) {
        var period = period
        (period.gain, period.gainRampFrames) = gain.withLock {
            ($0.target, $0.rampMilliseconds * renderers.sampleRate / 1_000)
        }
        engine.withLock { engine in
            // The second pass begins what the first one put off: a run of another sample rate.
            engine.worker.pass()
            engine.worker.pass()
            engine.kernel.renderAdding(period, scratch: &engine.scratch, to: &samples, at: offset)
        }
    }
}

extension RenderKernel {
    fileprivate mutating func renderAdding(
        _ period: RenderPeriod, scratch: inout [Float], to samples: inout [Float], at offset: Int
    ) {
        scratch.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            _ = render(period, into: base)
        }
        for index in 0..<2 * period.frameCount { samples[2 * offset + index] += scratch[index] }
    }
}
