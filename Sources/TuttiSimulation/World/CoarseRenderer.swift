import Synchronization
import TuttiClock
import TuttiCore
import TuttiOutput
import TuttiPlayback
import TuttiRendering

/// A renderer that says what plays when instead of making it play.
///
/// Decks, decoding and resampling are not here; what decides when sound plays is: the packets held, the timebases, the
/// estimates of clock and card and the loop that steers by them are the real ones, in steps of some fractions of a
/// second. So is the `PlaybackPlan`: what ends or begins at an instant, what is prerolled, what is late.
final class CoarseRenderer: SoundOutput, @unchecked Sendable {
    let counters: RenderCounters
    let effects: RoomEffects
    private(set) var actual: OutputParameters?
    private(set) var trouble = ""

    let process: VirtualProcess
    let stream: StreamBuffer
    let estimates: ClockEstimateSlot
    let room: RoomStage
    var model: DACModel?
    private var remembered: RememberedRate?

    var plan = PlaybackPlan()
    /// What plays, or will be from its instant on; nil until the device has been open.
    var decks: CoarseDecks?
    /// What is read next; nil without a stream.
    var cursor: CoarseCursor?
    /// What is read for a start.
    var prerolled: [CoarseChunk] = []
    /// Whether what plays follows on what played before.
    var isFluent = false
    /// Since when the place that is due has been held and has not played.
    var heldSince: Int64?
    /// True time up to which everything has been played.
    var playedUntil: Int64 = 0
    /// How often the host had woken when the card last began.
    private var wakesSeen: Int
    private var nextWake: Int64?
    private(set) var device = CoarseDevice()

    /// Nanoseconds until a device is open, and until one that is gone is looked for again.
    private static let openingTime: Int64 = 20_000_000
    private static let retryInterval: Int64 = 1_000_000_000
    /// Nanoseconds from a signal to what comes of it.
    private static let decodeTime: Int64 = 3_000_000
    /// Nanoseconds that a card is watched for before streams start on it; nanoseconds for which it is watched
    /// closely, and between two looks then and later.
    private static let settlingTime: Int64 = 200_000_000
    private static let acquaintance: Int64 = 10_000_000_000
    private static let looks = (new: Int64(10_000_000), old: Int64(250_000_000))
    /// Nanoseconds between two steps while something plays, and while something is waited for.
    private static let steps = (young: Int64(100_000_000), old: Int64(250_000_000), waiting: Int64(20_000_000))
    /// Nanoseconds without sound after an xrun.
    private static let xrunSilence: Int64 = 40_000_000

    init(
        process: VirtualProcess, stream: StreamBuffer, estimates: ClockEstimateSlot, room: RoomStage,
        remembered: RememberedRate?
    ) {
        counters = RenderCounters()
        effects = RoomEffects(counters: counters)
        self.process = process
        self.stream = stream
        self.estimates = estimates
        self.room = room
        self.remembered = remembered
        playedUntil = process.host.agenda.now
        wakesSeen = process.host.wakes
        let depth = Int64(SimulatedCard.buffer) * 1_000_000_000 / Int64(SimulatedCard.sampleRate)
        counters.deviceDepth.store(depth, ordering: .relaxed)
    }

    var now: Int64 { process.host.agenda.now }

    // MARK: The device

    func setWanted(_ isWanted: Bool) {
        let wasWanted = counters.isWanted.load(ordering: .relaxed)
        counters.isWanted.store(isWanted, ordering: .relaxed)
        guard isWanted != wasWanted else { return }
        if isWanted { return process.after(Self.openingTime) { [self] in open() } }
        play(until: now)
        close()
    }

    private func open() {
        guard counters.isWanted.load(ordering: .relaxed), !device.isOpen else { return }
        guard room.card.isPlugged else { return lose() }
        device.isOpen = true
        trouble = ""
        actual = OutputParameters(
            sampleRate: SimulatedCard.sampleRate, channelCount: 2, sampleType: .int24,
            periodFrames: SimulatedCard.period,
            bufferFrames: SimulatedCard.buffer, name: "simulated", kind: .hda)
        play(until: now)
        room.card.start(at: now)
        (device.openedAt, device.lastLook) = (now, now)
        model = DACModel(
            nominalRate: Double(SimulatedCard.sampleRate), kind: room.card.model,
            rememberedPpm: knownRate.map { ($0.ppm, max($0.sigma, 1)) })
        replaceDecks()
        wake(in: Self.decodeTime)
    }

    private var knownRate: RememberedRate? {
        guard let ppm = RenderCounters.value(counters.devicePpmBits),
            let sigma = RenderCounters.value(counters.devicePpmSigmaBits)
        else { return remembered }
        return RememberedRate(ppm: ppm, sigma: sigma)
    }

    private func close() {
        device.isOpen = false
        model = nil
        counters.isDeviceSettled.store(false, ordering: .relaxed)
        counters.audibleDecks.store(0, ordering: .relaxed)
    }

    /// The device is gone: it is looked for every second.
    private func lose() {
        trouble = "the output device is missing"
        close()
        process.after(Self.retryInterval) { [self] in open() }
    }

    /// The card was pulled out.
    func unplug() {
        guard device.isOpen else { return }
        play(until: now)
        lose()
    }

    /// The card ran dry: a moment of silence, and its position is not known.
    func runDry() {
        guard device.isOpen else { return }
        play(until: now)
        counters.xruns.wrappingAdd(1, ordering: .relaxed)
        device.silentUntil = now + Self.xrunSilence
        room.card.start(at: now)
        device.lastLook = now
        model?.restart()
        decks?.audible?.isDiscontinuous = true
        wake(in: Self.xrunSilence)
    }

    // MARK: Steps

    /// Something happened to the stream.
    func signalled() { wake(in: Self.decodeTime) }

    /// Looks again after so many nanoseconds.
    func wake(in delay: Int64) {
        let time = now + delay
        if let nextWake, nextWake > now, nextWake <= time { return }
        nextWake = time
        process.after(delay) { [weak self] in
            // An earlier look has taken its place, unless the process was stopped meanwhile.
            guard let self, nextWake == time || now > time else { return }
            nextWake = nil
            step()
        }
    }

    private func step() {
        // The host stood still: what the card had left is long over.
        if now - playedUntil > 2 * Self.steps.old, decks?.audible != nil { overslept() }
        play(until: now)
        takeEvents()
        fillPreroll()
        start()
        let wait = fillDeck()
        publish()
        wakeAgain(wait)
    }

    /// A card that was open when its host went to sleep has lost its place, whether anything played of it or not.
    func noteSleep() {
        guard process.host.wakes != wakesSeen else { return }
        wakesSeen = process.host.wakes
        overslept()
    }

    private func overslept() {
        (playedUntil, device.lastLook) = (now, now)
        decks?.audible?.catchUp(to: now)
        runDry()
    }

    private func wakeAgain(_ milliseconds: Int?) {
        var delay = milliseconds.map { Int64($0) * 1_000_000 }
        if let audible = decks?.audible {
            delay = min(delay ?? .max, now - audible.began < 10_000_000_000 ? Self.steps.young : Self.steps.old)
        }
        let isWaiting = plan.isStartDue(moment()) || decks?.nextStart(after: now) != nil
        let isSettling = device.isOpen && !counters.isDeviceSettled.load(ordering: .relaxed)
        if isWaiting || isSettling { delay = min(delay ?? .max, Self.steps.waiting) }
        if let delay { wake(in: delay) }
    }

    private func publish() {
        let audible = decks?.audible
        counters.audibleDecks.store(audible == nil ? 0 : 1, ordering: .relaxed)
        counters.isStarved.store(audible.map { $0.isStarved } ?? false, ordering: .relaxed)
        guard let estimate = model?.estimate else { return }
        counters.devicePpmBits.store(estimate.ppm.bitPattern, ordering: .relaxed)
        counters.devicePpmSigmaBits.store(estimate.ppmSigma.bitPattern, ordering: .relaxed)
        let isSettled = (model?.observedNanoseconds ?? 0) >= Self.settlingTime
        counters.isDeviceSettled.store(isSettled, ordering: .relaxed)
    }

    /// Tells the model of the card what was to be read of it up to `time`.
    func look(until time: Int64) {
        guard device.isOpen, model != nil else { return }
        while true {
            let isNew = device.lastLook - device.openedAt < Self.acquaintance || room.card.step > 1
            let pause = isNew ? Self.looks.new : Self.looks.old
            guard device.lastLook + pause <= time else { return }
            device.lastLook += pause
            let instant = device.lastLook - room.card.lateness()
            guard instant > device.silentUntil - Self.xrunSilence else { continue }
            let frames = room.card.pointer(at: instant)
            model?.observe(
                hostTime: HostTime(nanoseconds: process.host.reading(at: instant)), playedFrames: frames)
        }
    }
}
