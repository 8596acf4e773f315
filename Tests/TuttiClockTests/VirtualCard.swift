import TuttiClock
import TuttiCore

/// A card with a pointer that moves in steps, and a model that watches it. Times in nanoseconds of the host.
struct VirtualCard {
    enum Reading {
        /// After 5 to 10 ms, at any distance from a step.
        case random
        /// 50 µs and more after a period of 480 frames is over: always just after a step.
        case woken
        /// As a render thread does: woken by the periods, looking a few times at random in between and, in its first
        /// seconds, on both sides of a step.
        case rendering
    }

    /// How wrong the model was at one time, and what it thought of that; µs.
    struct Verdict {
        var seconds: Double
        var error: Double
        var sigma: Double
    }

    var generator: SeededGenerator
    var model: DACModel
    /// Frames a step; need not be whole, as for USB at 44.1 kHz.
    var step: Double
    /// Frames of symmetric jitter.
    var jitter = 0
    var reading = Reading.random
    /// Frames by which the pointer is off, as after a jump.
    var jump = 0.0
    private let oscillator: VirtualOscillator
    private let phase: Double
    /// How the rate drifts, ratio a nanosecond; given in ppm a minute.
    private let bend: Double
    private(set) var time: Double
    private let base: Int64 = 5_000_000_000_000

    init(
        step: Double, ppm: Double, seed: UInt64, seconds: Int, kind: CardKind = .virtual, wander: Double = 0,
        remembered: (value: Double, sigma: Double)? = nil, bend: Double = 0, turn: (second: Int, ppm: Double)? = nil
    ) {
        generator = SeededGenerator(seed)
        self.step = step
        model = DACModel(nominalRate: 48_000, kind: kind, rememberedPpm: remembered)
        oscillator = VirtualOscillator(
            offset: 0, ppm: ppm, wander: wander, seconds: seconds, turn: turn, generator: &generator)
        phase = generator.uniform() * 480
        self.bend = bend * 1e-6 / 60e9
        time = 0
    }

    private func position(at time: Double) -> Double {
        (time + oscillator.error(at: time) + bend * time * time / 2) * 48e-6 + phase
    }

    /// Takes readings until `end`; how the model fared.
    mutating func run(until end: Double) -> [Verdict] {
        var verdicts: [Verdict] = []
        while true {
            switch reading {
            case .random: time += (5 + 5 * generator.uniform()) * 1e6
            case .woken, .rendering:
                let next = (position(at: time) / 480).rounded(.down) * 480 + 480
                time += (next - position(at: time)) / 48e-6 + 50e3 + generator.exponential(mean: 30e3)
            }
            guard time < end else { return verdicts }
            read()
            if reading == .rendering { lookMore() }
            guard let estimate = model.estimate else { continue }
            let host = base + Int64(time)
            let frame = estimate.frame(atHostNanoseconds: host, fraction: time - time.rounded(.down), since: 0)
            verdicts.append(
                Verdict(
                    seconds: time / 1e9, error: (frame - position(at: time) - jump) / 0.048,
                    sigma: estimate.positionSigma / 1e3))
        }
    }

    /// Lets the model read the pointer at a time.
    mutating func take(at moment: Double, asking: Int64 = 0, late: Double = 0) {
        var pointer = (position(at: moment + late) / step).rounded(.down) * step + jump
        if jitter > 0 { pointer += Double(Int(generator.next() % UInt64(2 * jitter + 1)) - jitter) }
        model.observe(
            hostTime: HostTime(nanoseconds: base + Int64(moment)), playedFrames: Int64(pointer), asking: asking)
    }

    /// Reads the pointer now; a render thread reads it up to 100 ns after the clock.
    private mutating func read() { take(at: time, late: reading == .rendering ? 100 * generator.uniform() : 0) }

    private mutating func lookMore() {
        let isFine = model.stepFrames == 1
        let age = Double(model.observedNanoseconds)
        if age < 0.2e9 || (isFine && age < 2e9) {
            // The step lies somewhere between two readings 2 µs apart.
            let next = ((position(at: time) / step).rounded(.down) + 1) * step
            let edge = time + (next - position(at: time)) / 48e-6
            let before = edge - 2e3 * generator.uniform()
            if before > time { take(at: before) }
            time = max(before + 2e3, edge)
            read()
        }
        let looks = age < 2e9 ? 4 : isFine ? (generator.uniform() < 0.125 ? 1 : 0) : 1
        for _ in 0..<looks {
            time += (0.05 + generator.uniform() * 5 / Double(looks)) * 1e6
            read()
        }
    }
}
