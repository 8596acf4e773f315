import TuttiCards
import TuttiClock
import TuttiCore

/// A card of the population in virtual time, and a model that watches it as a render thread does. Times in nanoseconds
/// of the host.
struct DrawnCard {
    /// How wrong the model was at one time, counted from the start of the run, and what it thought of that; µs.
    struct Verdict {
        var seconds: Double
        var error: Double
        var sigma: Double
    }

    let traits: CardTraits
    let rate: Double
    var model: DACModel
    private var generator: SeededGenerator
    private(set) var time = 0.0
    private var startedAt = 0.0
    private let base: Int64 = 5_000_000_000_000
    private let period: Double
    private var periods = 0

    init(_ traits: CardTraits, seed: UInt64, kind: CardKind = .virtual) {
        self.traits = traits
        rate = Double(traits.rate ?? 48_000)
        model = DACModel(nominalRate: rate, kind: kind)
        generator = SeededGenerator(seed)
        period = rate / 100
    }

    /// Another run begins, `pause` ns after the end of the one before; watched closely at first, as after an xrun, or
    /// not.
    mutating func start(after pause: Double = 0, isWatched: Bool) -> [Verdict] {
        time += pause
        startedAt = time
        model.restart()
        guard isWatched else { return [] }
        var verdicts: [Verdict] = []
        while time - startedAt < Double(traits.startLatency) + 5e6 {
            time += 0.6e6 * generator.uniform()
            read()
            watch(for: 50e3)
            verdicts += verdict
        }
        return verdicts
    }

    /// Goes on until the run has lasted for `seconds`.
    mutating func run(for seconds: Double) -> [Verdict] {
        var verdicts: [Verdict] = []
        while time - startedAt < seconds * 1e9 {
            wake()
            read()
            look()
            verdicts += verdict
        }
        return verdicts
    }

    private var verdict: [Verdict] {
        guard let estimate = model.estimate else { return [] }
        let frame = estimate.frame(
            atHostNanoseconds: base + Int64(time), fraction: time - time.rounded(.down), since: 0)
        let truth = traits.frames(after: time - startedAt, rate: rate) + Double(traits.unseenLead)
        return [
            Verdict(
                seconds: (time - startedAt) / 1e9, error: (frame - truth) / rate * 1e6,
                sigma: estimate.positionSigma / 1e3)
        ]
    }

    private func position(at time: Double) -> Int64 { traits.position(after: time - startedAt, rate: rate) }

    /// Some µs after the end of a period, or after the step in which that is.
    private mutating func wake() {
        let frames = traits.frames(after: time - startedAt, rate: rate)
        let step = Double(traits.step)
        let next = (((frames / period).rounded(.down) + 1) * period / step).rounded(.up) * step
        let standing = max(0, startedAt + Double(traits.startLatency) - time)
        time += standing + (next - frames) / rate * 1e9 + 50e3 + generator.exponential(mean: 30e3)
    }

    /// Reads the pointer now, up to 100 ns after the clock.
    private mutating func read() {
        let pointer = position(at: time + 100 * generator.uniform())
        model.observe(hostTime: HostTime(nanoseconds: base + Int64(time)), playedFrames: pointer, asking: 1_000)
    }

    private mutating func look() {
        periods += 1
        let isFine = model.stepFrames > 0 && model.stepFrames <= 4
        let isNew = model.observedNanoseconds < 2_000_000_000
        if isFine ? isNew : isNew || periods % 8 == 0 {
            if isFine {
                watch(for: 25e3)
            } else if let next = model.nextMovement(after: position(at: time)) {
                let due = Double(next.time.nanoseconds - base - next.margin - 100_000)
                guard due - time < max(period, Double(traits.step)) / rate * 1e9 else { return }
                time = max(time, due)
                if watch(for: Double(2 * next.margin + 300_000)) { return }
            } else {
                watch(for: 1.2e6)
            }
        }
        let looks = isNew ? 4 : isFine && periods % 8 != 0 ? 0 : 1
        for _ in 0..<looks {
            time += generator.uniform() * period / rate * 0.5e9 / Double(looks)
            read()
        }
    }

    /// Asks every 2 µs until the pointer moves.
    @discardableResult
    private mutating func watch(for limit: Double) -> Bool {
        let end = time + limit
        while time < end {
            let before = position(at: time)
            guard position(at: time + 2e3) == before else {
                read()
                time += 2e3
                read()
                return true
            }
            time += 2e3
        }
        read()
        return false
    }
}
