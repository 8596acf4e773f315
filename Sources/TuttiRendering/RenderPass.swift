import Glibc
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRealtime

/// The render thread's work on one open device. All storage is there before `run` begins; from then on it allocates
/// nothing, takes no lock and logs nothing.
struct RenderPass: ~Copyable {
    /// How long the card must have been watched before a stream is started on it, in ns.
    private static let settlingTime: Int64 = 200_000_000
    /// How far a card's rate wanders from one evening to the next, in ppm (one standard deviation).
    private static let wander = 1.0

    let device: any OutputDevice
    let clock: HostClock
    private let estimates: ClockEstimateSlot
    let reference: ReferenceRoom
    let counters: RenderCounters
    // What lies in another object is held here too: to reach it through that would count a reference.
    private let history: RenderHistory
    private let playbackLine: ReferenceSlot
    private let isStandIn: Bool
    let shape: DeviceShape

    private var memory: PeriodMemory
    private var kernel: RenderKernel
    var model: DACModel
    var random = SplitMix64(seed: SystemRandomNumberGenerator.seed())
    var cardRun: CardRun
    var lookPlan = LookPlan()
    /// Frames that the card had yet to take at the last reading.
    var queued = 0
    var recoverySilence = RecoverySilence()
    /// Frames that the card is given ahead at most.
    var depth: Int
    private var witness = WakeWitness()
    /// When the card last woke this thread.
    private var woken: HostTime?
    /// Whether the device has taken anything yet.
    private var hasWritten = false

    init(
        device: any OutputDevice, decks: DeckPair, overlays: [DeckPair], effects: EffectSlot? = nil, clock: HostClock,
        estimates: ClockEstimateSlot, reference: ReferenceRoom, counters: RenderCounters, remembered: RememberedRate?,
        isStandIn: Bool
    ) {
        let actual = device.actual
        self.device = device
        self.clock = clock
        self.estimates = estimates
        self.reference = reference
        self.counters = counters
        (history, playbackLine) = (counters.history, reference.line)
        self.isStandIn = isStandIn
        shape = DeviceShape(actual)
        depth = shape.bufferFrames
        memory = PeriodMemory(actual)
        cardRun = CardRun(began: clock.now())
        kernel = RenderKernel(
            decks: decks.first, decks.second, overlays: overlays.map { ($0.first, $0.second) },
            maximumPeriodFrames: actual.periodFrames,
            initialGain: Float(bitPattern: counters.gainBits.load(ordering: .relaxed)), effects: effects)
        model = DACModel(
            nominalRate: Double(actual.sampleRate), kind: CardKind(rawValue: actual.kind.rawValue) ?? .unknown,
            rememberedPpm: remembered.map { ($0.ppm, max($0.sigma, Self.wander)) })
    }

    /// Feeds the device until it is lost or not wanted any more, or until `deadline` where that is given: for a
    /// stand-in, and for a device that has to show that it takes what it is given, and has done so by then.
    mutating func run(until deadline: HostTime?) -> Renderer.Ending {
        warmUp()
        // Also where the device before counted its runs alike.
        history.beginRun()
        while counters.keepsDevice {
            if let deadline, hasWritten, clock.now() >= deadline { return .retry }
            switch device.wait(timeoutNanoseconds: 500_000_000) {
            case .writable:
                woken = clock.now()
                guard feed() else { return .lost(lossReason) }
                lookBetweenPeriods()
            case .timeout: continue
            case .xrun:
                guard recover() else { return .lost(lossReason) }
            case .lost: return .lost(lossReason)
            }
        }
        return .unwanted
    }

    /// Whether the card has been watched for long enough.
    var isSettled: Bool { model.observedNanoseconds >= Self.settlingTime }

    private var lossReason: OutputError {
        device.failure ?? .failed(device: device.actual.name, action: "keep using", code: EIO)
    }

    /// Writes as many whole periods as there is room for.
    ///
    /// - Returns: false when the device is lost.
    private mutating func feed() -> Bool {
        guard let timing = device.timing() else { return true }
        enter(timing.generation)
        observe(timing)
        cardRun.noteReplacements(model.replacements)
        if let woken { compare(woken, with: timing) }
        woken = nil
        settleWaking()
        publishModel()
        var frame = timing.playedFrames + timing.queuedFrames
        var room = timing.writableFrames - (shape.bufferFrames - depth)
        while room >= shape.periodFrames {
            render(from: frame)
            let taken = device.write(memory.encoded, frames: shape.periodFrames)
            if taken == OutputWait.lost.rawValue { return false }
            if taken == OutputWait.xrun.rawValue { return recover() }
            // Samples that are not taken are lost, which the next period's error shows and the kernel repairs.
            guard taken == shape.periodFrames else { return true }
            hasWritten = true
            frame += Int64(taken)
            room -= taken
        }
        return true
    }

    /// Writes a period of silence.
    ///
    /// - Returns: what `OutputDevice.write` does.
    func writeSilence() -> Int {
        memory.silence()
        return device.write(memory.encoded, frames: shape.periodFrames)
    }

    /// Holds the card's line against when the card has woken this thread.
    private mutating func compare(_ woken: HostTime, with timing: OutputTiming) {
        guard let card = model.estimate else { return }
        // It wakes when so many periods can be written: frames counted as played, whatever else the delay has in it.
        let needed = timing.playedFrames - Int64(timing.writableFrames - device.wakePeriods * shape.periodFrames)
        let due = card.hostTime(ofFrame: needed)
        let isFine = model.stepFrames <= LookPlan.fineStep
        let step = isFine ? 0 : Double(model.stepFrames) * 1e9 / Double(shape.sampleRate)
        witness.observe(
            lateness: Double(woken.nanoseconds - due.nanoseconds), sigma: card.positionSigma, step: step)
    }

    /// Notices that another run of the card has begun.
    mutating func enter(_ generation: UInt32) {
        guard cardRun.enter(generation) else { return }
        model.restart()
        witness.restart()
        history.beginRun()
        settleWaking()
    }

    private mutating func render(from frame: Int64) {
        let changes = cardRun.takeChanges()
        var period = RenderPeriod(
            frameCount: shape.periodFrames, groupNanoseconds: 0, groupFraction: 0,
            groupNanosecondsPerFrame: 1e9 / Double(shape.sampleRate), isClockValid: false,
            isDiscontinuity: changes.isDiscontinuity)
        period.isRelocated = changes.isRelocated
        period.isReference = reference.isReference.load(ordering: .relaxed) && !isStandIn
        let (card, group) = (model.estimate, estimates.read())
        var instant: Int64 = 0
        var overlayPeriod: RenderPeriod?
        if let card, let group {
            let left = card.hostTime(ofFrame: frame)
            instant = left.nanoseconds &+ counters.outputDelay.load(ordering: .relaxed)
            place(&period, on: group, left: instant, left.fraction, card)
            period.isClockValid = true
            if let line = playbackLine.read(), line.group.timescale == group.timescale {
                overlayPeriod = period
                place(&period, on: group.following(line), left: instant, left.fraction, card)
            }
        }
        period.gain = Float(bitPattern: counters.gainBits.load(ordering: .relaxed))
        period.gainRampFrames = counters.gainRampMilliseconds.load(ordering: .relaxed) * shape.sampleRate / 1_000
        let report = kernel.render(period, overlays: overlayPeriod, into: memory.floats)
        let keepsBits = noteReference(period, overlayPeriod ?? period, group?.timescale, report)
        let isMixed = shape.channels == 1 && report.audibleDecks > 0
        memory.encode(dither: !report.isBitExact || isMixed || !keepsBits)
        if let card, let group, report.hasError {
            let note = RenderHistory.Note(
                lateness: -report.errorNanoseconds, objection: witness.objection, host: instant,
                group: (overlayPeriod ?? period).groupNanoseconds, cardSigma: card.positionSigma, frame: frame,
                left: instant - counters.outputDelay.load(ordering: .relaxed))
            history.take(note, clock: group, card: card)
        }
        counters.take(report)
        let lead = Int64(kernel.effectLead) * 1_000_000_000 / Int64(shape.sampleRate)
        counters.effectLead.store(lead, ordering: .relaxed)
    }

    private func publishModel() {
        guard let estimate = model.estimate else { return }
        if !isStandIn {
            counters.devicePpmBits.store(estimate.ppm.bitPattern, ordering: .relaxed)
            counters.devicePpmSigmaBits.store(estimate.ppmSigma.bitPattern, ordering: .relaxed)
        }
        counters.isDeviceSettled.store(isSettled, ordering: .relaxed)
    }
}
