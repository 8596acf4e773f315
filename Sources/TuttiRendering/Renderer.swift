import Dispatch
package import Logging
import Synchronization
package import TuttiClock
import TuttiCore
package import TuttiHost
package import TuttiOutput
package import TuttiPlayback

/// Owns the output device: opens it when it is wanted, keeps it fed on a thread of its own, and gets over its troubles.
///
/// While the device is gone a null output stands in for it: the stream keeps its place in time, and the device is
/// looked for once a second.
package final class Renderer: SoundOutput {
    private struct Shared {
        var actual: OutputParameters?
        /// What was logged of it.
        var opened: OutputParameters?
        var trouble = ""
    }

    /// Why a device was given up.
    enum Ending {
        case unwanted
        case lost(OutputError)
        /// The stand-in's second is over: time to look for the device.
        case retry
    }

    /// How often a device that is gone is looked for, in ns.
    private static let retryInterval: Int64 = 1_000_000_000
    /// How long a device plays that is taken to be back, in ns. One that opens and takes nothing is lost before.
    private static let proof: Int64 = 500_000_000
    /// Where the stand-in runs when no device has been seen yet.
    private static let defaultRate = 48_000

    package let counters: RenderCounters
    package let effects: RoomEffects
    /// The agreement with the device, whose events tell of its losses.
    package let session: OutputSession
    private let stream: StreamBuffer
    private let overlays: [StreamBuffer]
    private let clock: HostClock
    private let estimates: ClockEstimateSlot
    private let correction: Correction
    private let remembered: RememberedRate?
    private let logger: Logger
    private let shared = Mutex(Shared())
    private let wanted = DispatchSemaphore(value: 0)

    package init(
        request: OutputRequest, stream: StreamBuffer, overlays: [StreamBuffer] = [], clock: HostClock,
        estimates: ClockEstimateSlot,
        correction: Correction, remembered: RememberedRate?, bell: Bell? = nil, logger: Logger,
        opener: @escaping OutputSession.Opener = { request, clock throws(OutputError) in
            try OutputDevices.open(request, clock: clock)
        }
    ) {
        counters = RenderCounters(bell: bell)
        effects = RoomEffects(counters: counters)
        session = OutputSession(request: request, clock: clock, opener: opener)
        self.stream = stream
        self.overlays = overlays
        self.clock = clock
        self.estimates = estimates
        self.correction = correction
        self.remembered = remembered
        self.logger = logger
    }

    /// What the device really does; nil until it has been open once.
    package var actual: OutputParameters? { shared.withLock { $0.actual } }

    /// What is wrong with the device; empty when nothing is.
    package var trouble: String { shared.withLock { $0.trouble } }

    /// Opens the device, or lets it go.
    package func setWanted(_ isWanted: Bool) {
        counters.isWanted.store(isWanted, ordering: .relaxed)
        wanted.signal()
    }

    /// Ends `runLoop`, also while somebody still asks for the device.
    package func stop() {
        counters.isStopping.store(true, ordering: .relaxed)
        setWanted(false)
    }

    /// The body of the thread.
    package func runLoop() {
        while !counters.isStopping.load(ordering: .relaxed) {
            guard counters.isWanted.load(ordering: .relaxed) else {
                _ = wanted.wait(timeout: .now() + .seconds(1))
                look()
                continue
            }
            let began = clock.now()
            if let error = playOnDevice() {
                session.deviceLost(error)
                noteLost(error)
                // One that has played for long may be back at once; others are tried once a second.
                if clock.now().nanoseconds(since: began) < Self.retryInterval { standIn() }
            } else {
                session.deactivate()
            }
        }
    }

    /// Plays on the device until it is not wanted any more.
    ///
    /// - Returns: why it was lost, or cannot be opened; nil when it is not wanted.
    private func playOnDevice() -> OutputError? {
        do {
            let device = try session.activate()
            let actual = device.actual
            shared.withLock { $0.actual = actual }
            if case .lost(let error) = play(device, isStandIn: false) { return error }
            return nil
        } catch {
            return error
        }
    }

    /// Sees whether a device that is gone is back while nobody wants it, so that what is said of it stays true. (A file
    /// would be begun anew.)
    private func look() {
        guard !trouble.isEmpty, !session.request.device.hasPrefix("file:") else { return }
        do {
            let device = try OutputDevices.open(session.request, clock: clock)
            noteOpened(device.actual)
            device.close()
        } catch {
            noteLost(error)
        }
    }

    /// Keeps the stream's place in time for a second without the device.
    private func standIn() {
        var replacement = session.request
        replacement.device = "null"
        replacement.preferredSampleRate = actual?.sampleRate ?? Self.defaultRate
        guard let device = try? OutputDevices.open(replacement, clock: clock) else {
            _ = wanted.wait(timeout: .now() + .seconds(1))
            return
        }
        _ = play(device, isStandIn: true)
    }

    private func play(_ device: any OutputDevice, isStandIn: Bool) -> Ending {
        defer {
            counters.takeSilence()
            device.close()
        }
        let actual = device.actual
        counters.deviceDepth.store(
            Int64(actual.bufferFrames) * 1_000_000_000 / Int64(actual.sampleRate), ordering: .relaxed)
        let decks = DeckPair(outputRate: actual.sampleRate)
        let overlayDecks = overlays.map { _ in
            DeckPair(outputRate: actual.sampleRate, ringFrames: DeckPair.overlayRingFrames)
        }
        var pass = RenderPass(
            device: device, decks: decks, overlays: overlayDecks,
            effects: effects.slot(sampleRate: actual.sampleRate, maximumFrames: actual.periodFrames), clock: clock,
            estimates: estimates,
            reference: stream.reference, counters: counters, remembered: isStandIn ? nil : knownRate,
            isStandIn: isStandIn)
        do {
            try device.start()
        } catch {
            return .lost(error)
        }
        stream.replaceDecks(decks)
        for (overlay, decks) in zip(overlays, overlayDecks) { overlay.replaceDecks(decks) }
        if isStandIn { return pass.run(until: clock.now().advanced(byNanoseconds: Self.retryInterval)) }
        if session.isInterrupted || !trouble.isEmpty {
            let ending = pass.run(until: clock.now().advanced(byNanoseconds: Self.proof))
            guard case .retry = ending else { return ending }
        }
        noteOpened(actual)
        session.devicePlays()
        return pass.run(until: nil)
    }

    /// How fast the device runs: as it has run since this speaker started, or else as it ran before.
    private var knownRate: RememberedRate? {
        guard let ppm = RenderCounters.value(counters.devicePpmBits),
            let sigma = RenderCounters.value(counters.devicePpmSigmaBits)
        else { return remembered }
        return RememberedRate(ppm: ppm, sigma: sigma)
    }

    private func noteOpened(_ actual: OutputParameters) {
        let (isNew, wasInTrouble) = shared.withLock { shared in
            defer { (shared.actual, shared.opened, shared.trouble) = (actual, actual, "") }
            return (shared.opened != actual, !shared.trouble.isEmpty)
        }
        guard isNew || wasInTrouble else { return }
        counters.tell()
        logger.info(
            "output device open",
            metadata: [
                "device": "\(actual.name)", "rate": "\(actual.sampleRate)", "sample": "\(actual.sampleType.rawValue)",
                "period": "\(actual.periodFrames)", "buffer": "\(actual.bufferFrames)",
                "kind": "\(actual.kind.rawValue)",
            ])
    }

    /// There is no device: said once until there is one again.
    package func noteLost(_ error: OutputError) {
        let reason = error.description
        let isNew = shared.withLock { shared in
            defer { shared.trouble = reason }
            return shared.trouble.isEmpty
        }
        if isNew {
            counters.tell()
            logger.error(
                "no sound: the output device is missing; the room keeps its place and retries every second",
                metadata: ["device": "\(session.request.device)", "reason": "\(reason)"])
        }
    }
}
