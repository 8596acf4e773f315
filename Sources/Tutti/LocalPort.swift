import Synchronization
import TuttiClock
import TuttiCore
import TuttiEngine
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRendering

/// A renderer's own way to a card: the machinery of a speaker, on this host's clock instead of a group's.
final class LocalPort: RenderingPort {
    /// How far ahead of being heard audio must lie to be taken back, in ns: what the card has queued, and the decoding.
    static let flushMargin: Int64 = 150_000_000
    /// How much is kept behind the playhead: more than a decoder needs that begins anew there, and than a renderer
    /// keeps itself.
    static let history = MediaTime(frame: 1, sampleRate: 1)
    /// What a start takes on a card that runs, and on one that has yet to be opened and to show how fast it is, in ns.
    private static let startLeads = (running: Int64(100_000_000), opening: Int64(600_000_000))
    private static let renderPriority = 70

    let stream: StreamBuffer
    let clock = PlaybackClock.system
    private let renderer: Renderer
    private let thread: ThreadHandle
    private let slot: DecodeSlot
    private let session: AudioSession
    private let registration: Int
    private let watcher: Task<Void, Never>

    /// Opens the session's device for one renderer; activates the session when it is not.
    init(session: AudioSession, handler: @escaping RoutePortHandler) throws(PlaybackError) {
        let request = try session.requestForRendering()
        let clock = PlaybackClock.system.hostClock
        let estimates = ClockEstimateSlot()
        estimates.publish(
            ClockEstimate(
                timescale: HostTimeline.timescale, referenceHost: clock.now(), offset: 0, drift: 0, offsetSigma: 0,
                driftSigma: 0))
        let slot: DecodeSlot
        do {
            slot = try DecodeThreads.shared.slot()
        } catch {
            throw .output(error.description)
        }
        let stream = StreamBuffer(
            maximumBytes: RendererCore.maximumBytes, history: Self.history, onSignal: { [weak slot] in slot?.wake() })
        let correction: Correction = session.correctsDrift ? .on : .off
        let renderer = Renderer(
            request: request, stream: stream, clock: clock, estimates: estimates, correction: correction,
            remembered: nil, logger: session.logger)
        renderer.setWanted(true)
        let counters = renderer.counters
        do {
            thread = try RealtimeThread.spawn(name: "tutti-render", priority: Self.renderPriority) {
                renderer.runLoop()
            }
        } catch {
            throw .output(error.description)
        }
        slot.run {
            DecodeWorker(
                stream: stream, now: { clock.now() }, estimates: estimates, correction: correction,
                counters: counters)
        }
        self.stream = stream
        self.slot = slot
        self.renderer = renderer
        self.session = session
        registration = session.register(handler)
        let events = renderer.session.events
        watcher = Task {
            for await event in events { Self.forward(event, to: session, handler) }
        }
    }

    private static func forward(
        _ event: OutputSessionEvent, to session: AudioSession, _ handler: RoutePortHandler
    ) {
        switch event {
        case .routeChanged(let actual): session.deviceOpened(actual)
        case .interruptionBegan(let error):
            session.deviceLost(error)
            handler(.lost(.output(error.description)))
        case .interruptionEnded:
            session.deviceReturned()
            handler(.restored)
        case .deactivated: break
        }
    }

    func process(through engine: AudioEngine) throws(PlaybackError) {
        renderer.effects.set { shape throws(EffectTrialError) in
            do throws(PlaybackError) {
                return try EngineProcessor(engine, shape)
            } catch {
                throw .unavailable("\(error)")
            }
        }
    }

    var startLead: Int64 {
        let isRunning = renderer.counters.isDeviceSettled.load(ordering: .relaxed)
        return (isRunning ? Self.startLeads.running : Self.startLeads.opening) + renderer.counters.effectDelay
    }

    var stopLead: Int64 { 60_000_000 + renderer.counters.effectDelay }
    /// Time for the client to enqueue again, for the stretcher and the decoder: several times what that takes on an
    /// idle host.
    let handoverLead: Int64 = 500_000_000

    func setGain(_ gain: Float, rampMilliseconds: Int) {
        renderer.counters.gainRampMilliseconds.store(rampMilliseconds, ordering: .relaxed)
        renderer.counters.gainBits.store(gain.bitPattern, ordering: .relaxed)
    }

    func close() {
        session.unregister(registration)
        watcher.cancel()
        renderer.stop()
        slot.leave()
        thread.join()
    }
}
