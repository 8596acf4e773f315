import Glibc
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiOutput
import TuttiPlayback

/// The render thread's work on one open device. All storage is there before `run` begins; from then on it allocates
/// nothing, takes no lock and logs nothing.
struct RenderPass: ~Copyable {
    /// How long the card must have been watched before a programme is started on it, in ns.
    private static let settlingTime: Int64 = 200_000_000
    /// How far a card's rate wanders from one evening to the next, in ppm (one standard deviation).
    private static let wander = 1.0

    /// Pointers that move by no more frames at a time are taken for exact.
    private static let fineStep: Int64 = 4
    /// How long a card's line is looked for with more readings, in ns.
    private static let acquaintance: Int64 = 2_000_000_000
    private static let looksWhileSettling = 4

    private let device: any OutputDevice
    private let clock: HostClock
    private let estimates: ClockEstimateSlot
    private let counters: RenderCounters
    private let isStandIn: Bool
    private let periodFrames: Int
    private let sampleRate: Int
    private let floats: UnsafeMutablePointer<Float>
    private let bytes: UnsafeMutableRawBufferPointer
    private let bytesPerFrame: Int

    private var kernel: RenderKernel
    private var encoder: SampleEncoder
    private var model: DACModel
    private var random = SystemRandomNumberGenerator.seed() | 1
    private var isDiscontinuity = false
    private var generation: UInt32 = 0

    init(
        device: any OutputDevice, decks: DeckPair, clock: HostClock, estimates: ClockEstimateSlot,
        counters: RenderCounters, remembered: RememberedRate?, isStandIn: Bool
    ) {
        let actual = device.actual
        self.device = device
        self.clock = clock
        self.estimates = estimates
        self.counters = counters
        self.isStandIn = isStandIn
        periodFrames = actual.periodFrames
        sampleRate = actual.sampleRate
        bytesPerFrame = actual.bytesPerFrame
        floats = .allocate(capacity: actual.periodFrames * 2)
        bytes = .allocate(byteCount: actual.periodFrames * actual.bytesPerFrame, alignment: 16)
        kernel = RenderKernel(
            decks: decks.first, decks.second, maximumPeriodFrames: actual.periodFrames,
            initialGain: Float(bitPattern: counters.gainBits.load(ordering: .relaxed)))
        encoder = SampleEncoder(kind: actual.sampleType.conversion, seed: SystemRandomNumberGenerator.seed())
        model = DACModel(
            nominalRate: Double(actual.sampleRate), kind: CardKind(rawValue: actual.kind.rawValue) ?? .unknown,
            rememberedPpm: remembered.map { ($0.ppm, max($0.sigma, Self.wander)) })
    }

    deinit {
        floats.deallocate()
        bytes.deallocate()
    }

    /// Feeds the device until it is lost or not wanted any more, or, for a stand-in, until `deadline`.
    mutating func run(until deadline: HostTime?) -> Renderer.Ending {
        while counters.isWanted.load(ordering: .relaxed) {
            if let deadline, clock.now() >= deadline { return .retry }
            switch device.wait(timeoutNanoseconds: 500_000_000) {
            case .writable:
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

    /// A pointer that moves in steps shows where it really is only to one who looks at varied distances from the steps, and
    /// waking with the periods is always the same distance. So such a card is looked at once more, at a random moment; a
    /// few times while its line is still to be found.
    private mutating func lookBetweenPeriods() {
        guard model.stepFrames == 0 || model.stepFrames > Self.fineStep else { return }
        let isSettling = model.observedNanoseconds < Self.acquaintance
        let span = Int64(periodFrames) * 1_000_000_000 / Int64(sampleRate) * 3 / 4
        let looks = isSettling ? Self.looksWhileSettling : 1
        for _ in 0..<looks {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            RealtimeThread.pause(nanoseconds: Int64(random % UInt64(max(span, 1))) / Int64(looks))
            guard let timing = device.timing(), timing.generation == generation else { return }
            model.observe(hostTime: timing.hostTime, playedFrames: timing.playedFrames)
        }
    }

    private var lossReason: OutputError {
        device.failure ?? .failed(device: device.actual.name, action: "go on with", code: EIO)
    }

    private mutating func recover() -> Bool {
        counters.xruns.wrappingAdd(1, ordering: .relaxed)
        do {
            try device.recover()
        } catch {
            return false
        }
        return true
    }

    /// Writes as many whole periods as there is room for.
    ///
    /// - Returns: false when the device is lost.
    private mutating func feed() -> Bool {
        guard let timing = device.timing() else { return true }
        if timing.generation != generation {
            if generation != 0 {
                model.restart()
                isDiscontinuity = true
            }
            generation = timing.generation
        }
        model.observe(hostTime: timing.hostTime, playedFrames: timing.playedFrames)
        publishModel()
        var frame = timing.playedFrames + timing.queuedFrames
        var room = timing.writableFrames
        while room >= periodFrames {
            render(from: frame)
            let taken = device.write(UnsafeRawBufferPointer(bytes), frames: periodFrames)
            if taken == OutputWait.lost.rawValue { return false }
            if taken == OutputWait.xrun.rawValue { return recover() }
            // Samples that are not taken are lost, which the next period's error shows and the kernel repairs.
            guard taken == periodFrames else { return true }
            frame += Int64(taken)
            room -= taken
        }
        return true
    }

    private mutating func render(from frame: Int64) {
        var period = RenderPeriod(
            frameCount: periodFrames, groupNanoseconds: 0, groupFraction: 0,
            groupNanosecondsPerFrame: 1e9 / Double(sampleRate), isClockValid: false)
        if let card = model.estimate, let group = estimates.read() {
            let left = card.hostTime(ofFrame: frame)
            let heard = left.nanoseconds + counters.outputDelay.load(ordering: .relaxed)
            let anchor = group.groupTime(at: HostTime(nanoseconds: heard)).nanoseconds
            let rest = group.groupNanoseconds(atHostNanoseconds: heard, fraction: left.fraction, since: anchor)
            let whole = rest.rounded(.down)
            period.groupNanoseconds = anchor + Int64(whole)
            period.groupFraction = rest - whole
            period.groupNanosecondsPerFrame = (1 + group.drift) / card.framesPerNanosecond
            period.isClockValid = true
            period.isDiscontinuity = isDiscontinuity
            isDiscontinuity = false
        }
        period.gain = Float(bitPattern: counters.gainBits.load(ordering: .relaxed))
        period.gainRampFrames = counters.gainRampMilliseconds.load(ordering: .relaxed) * sampleRate / 1_000
        let report = kernel.render(period, into: floats)
        guard let target = bytes.baseAddress else { return }
        encoder.convert(floats, samples: periodFrames * 2, dither: !report.isBitExact, into: target)
        publish(report)
    }

    private func publish(_ report: RenderReport) {
        if report.hasError { counters.note(errorNanoseconds: -report.errorNanoseconds) }
        if report.stalls > 0 { counters.stalls.wrappingAdd(report.stalls, ordering: .relaxed) }
        counters.audibleDecks.store(report.audibleDecks, ordering: .relaxed)
        counters.isStarved.store(report.underrunFrames > 0, ordering: .relaxed)
    }

    private func publishModel() {
        guard let estimate = model.estimate else { return }
        if !isStandIn {
            counters.devicePpmBits.store(estimate.ppm.bitPattern, ordering: .relaxed)
            counters.devicePpmSigmaBits.store(estimate.ppmSigma.bitPattern, ordering: .relaxed)
        }
        let isSettled = model.observedNanoseconds >= Self.settlingTime
        counters.isDeviceSettled.store(isSettled, ordering: .relaxed)
    }
}

extension OutputSampleType {
    /// The same sample type for the converter.
    var conversion: SampleConversion.Kind {
        switch self {
        case .int16: .int16
        case .int24: .int24
        case .int24in32: .int24in32
        case .int32: .int32
        case .float32: .float32
        }
    }
}
