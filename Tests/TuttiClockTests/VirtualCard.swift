import TuttiClock
import TuttiCore

/// A card with a pointer that moves in steps, and a model that watches it. Times in nanoseconds of the host.
struct VirtualCard {
    enum Reading {
        /// After 5 to 10 ms, at any distance from a step.
        case random
        /// 50 µs and more after a period of 480 frames is over: always just after a step.
        case woken
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
    private(set) var time: Double
    private let base: Int64 = 5_000_000_000_000

    init(
        step: Double, ppm: Double, seed: UInt64, seconds: Int, kind: CardKind = .virtual, wander: Double = 0,
        remembered: (value: Double, sigma: Double)? = nil
    ) {
        generator = SeededGenerator(seed)
        self.step = step
        model = DACModel(nominalRate: 48_000, kind: kind, rememberedPpm: remembered)
        oscillator = VirtualOscillator(offset: 0, ppm: ppm, wander: wander, seconds: seconds, generator: &generator)
        phase = generator.uniform() * 480
        time = 0
    }

    private func position(at time: Double) -> Double { (time + oscillator.error(at: time)) * 48e-6 + phase }

    /// Takes readings until `end`; the model's errors in microseconds, by time in seconds.
    mutating func run(until end: Double) -> [(seconds: Double, error: Double)] {
        var errors: [(seconds: Double, error: Double)] = []
        while true {
            switch reading {
            case .random: time += (5 + 5 * generator.uniform()) * 1e6
            case .woken:
                let next = (position(at: time) / 480).rounded(.down) * 480 + 480
                time += (next - position(at: time)) / 48e-6 + 50e3 + generator.exponential(mean: 30e3)
            }
            guard time < end else { return errors }
            let truth = position(at: time)
            var pointer = (truth / step).rounded(.down) * step + jump
            if jitter > 0 { pointer += Double(Int(generator.next() % UInt64(2 * jitter + 1)) - jitter) }
            let host = base + Int64(time)
            model.observe(hostTime: HostTime(nanoseconds: host), playedFrames: Int64(pointer))
            guard let estimate = model.estimate else { continue }
            let frame = estimate.frame(atHostNanoseconds: host, fraction: time - time.rounded(.down), since: 0)
            errors.append((time / 1e9, (frame - truth - jump) / 0.048))
        }
    }
}
