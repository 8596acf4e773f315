import Glibc
import Testing
import TuttiChain
import TuttiEffects

/// Signals with peaks that limiters miss.
enum Nasty: String, CaseIterable {
    case quarterRate, quarterRateBursts, square, highSquare, noise, signs, bursts, singles, alternation, flips, ramps

    /// `count` frames, at the end of which there is silence: a cut would be one more signal, that the limiter never saw.
    func samples(_ count: Int) -> [Float] {
        var noise = Noise(11)
        let loud = pow(10, 24.0 / 20)
        return (0..<count).map { n in
            guard n < count - 1_500 else { return 0 }
            let t = Double(n)
            switch self {
            case .quarterRate: return Float(2.0.squareRoot() * sin(Double.pi * (t / 2 + 0.25)))
            case .quarterRateBursts: return n / 700 % 3 == 0 ? Float(loud * sin(Double.pi * (t / 2 + 0.25))) : 0
            case .square: return sin(2 * Double.pi * t * 1_000.3 / 48_000) < 0 ? -4 : 4
            case .highSquare: return sin(2 * Double.pi * t * 9_111 / 48_000 + 0.1) < 0 ? -4 : 4
            case .noise: return Float(loud * noise.next())
            case .signs: return noise.next() < 0 ? -16 : 16
            case .bursts: return n % 3_000 < 300 ? Float(4 * loud * noise.next()) : 0
            case .singles: return n % 2_500 == 77 ? (n % 5_000 < 2_500 ? 8 : -8) : 0
            case .alternation: return n < 1_000 ? 0 : n % 2 == 0 ? 1 : -1
            case .flips: return (n / 997 + n) % 2 == 0 ? 4 : -4
            case .ramps: return Float(t.truncatingRemainder(dividingBy: 480) / 30)
            }
        }
    }
}

/// What measures true peaks beside the limiter: four times oversampled, 256 coefficients for each phase, flat to 0.477
/// of the sample rate and 170 dB down from 0.523 on.
struct Oversampler {
    private static let taps = 256
    private let phases: [[Double]]

    init() {
        func bessel(_ x: Double) -> Double {
            (1...80).reduce((sum: 1.0, term: 1.0)) {
                let term = $0.term * pow(x / 2 / Double($1), 2)
                return ($0.sum + term, term)
            }.sum
        }
        phases = (0..<4).map { phase in
            (0..<Self.taps).map { tap in
                let x = Double(tap - 127) - Double(phase) / 4
                let window = bessel(18 * max(0, 1 - pow(x / 128, 2)).squareRoot()) / bessel(18)
                return x == 0 ? 1 : window * sin(Double.pi * x) / (Double.pi * x)
            }
        }
    }

    /// The greatest true peak, linear.
    func peak(_ samples: [Float]) -> Double {
        let silence = [Double](repeating: 0, count: Self.taps)
        let padded = silence + samples.map(Double.init) + silence
        var greatest = 0.0
        padded.withUnsafeBufferPointer { source in
            for phase in phases {
                phase.withUnsafeBufferPointer { filter in
                    for start in 0...(source.count - Self.taps) {
                        var sum = 0.0
                        for tap in 0..<Self.taps { sum += filter[tap] * source[start + tap] }
                        greatest = max(greatest, abs(sum))
                    }
                }
            }
        }
        return greatest
    }
}

@Suite struct LimiterTests {
    @Test(arguments: Nasty.allCases, [-1.0, -12])
    func truePeaksStayBelowTheCeiling(signal: Nasty, ceiling: Double) throws {
        for release in [0.01, 0.5] {
            let limiter = try LimiterProcessor(Limiter(ceiling: ceiling, release: release), shape(1))
            let output = limiter.output([signal.samples(16_000)], cuts: oddCuts)[0]
            let limit = pow(10, ceiling / 20)
            #expect(output.allSatisfy { Double(abs($0)) <= limit })
            #expect(Oversampler().peak(output) <= limit)
        }
    }

    @Test(arguments: [8_000, 44_100, 96_000, 192_000])
    func otherRatesTooAndAllChannelsAlike(rate: Int) throws {
        let limiter = try LimiterProcessor(Limiter(ceiling: -3), shape(3, rate: rate))
        let input = [Nasty.noise.samples(12_000), Nasty.singles.samples(12_000), Nasty.square.samples(12_000)]
        let output = limiter.output(input)
        for channel in output { #expect(Oversampler().peak(channel) <= pow(10, -3.0 / 20)) }
        let delay = limiter.latency
        for frame in 0..<(12_000 - delay) where input[2][frame] != 0 {
            let gain = output[2][frame + delay] / input[2][frame]
            #expect(abs(output[0][frame + delay] - gain * input[0][frame]) < 1e-5)
        }
    }

    @Test func softSoundIsOnlyLater() throws {
        var noise = Noise(8)
        let input = [noise.samples(6_000, amplitude: 0.3), noise.samples(6_000, amplitude: 0.3)]
        let limiter = try LimiterProcessor(Limiter(), shape())
        #expect((72...240).contains(limiter.latency))
        let output = limiter.output(input, cuts: oddCuts)
        for channel in 0..<2 {
            #expect(Array(output[channel][limiter.latency...]) == Array(input[channel].dropLast(limiter.latency)))
            #expect(output[channel][..<limiter.latency].allSatisfy { $0 == 0 })
        }
    }

    @Test func soundThatReachesTheCeilingIsHardlySofter() throws {
        let sine = (0..<48_000).map { Float(4 * sin(2 * Double.pi * 997 * Double($0) / 48_000)) }
        let output = try LimiterProcessor(Limiter(ceiling: -1), shape(1)).output([sine])[0]
        let peak = output[40_000...].reduce(0) { max($0, abs($1)) }
        #expect(abs(decibels(Double(peak)) + 1.3) < 0.05)
    }

    @Test func outputDoesNotDependOnTheCuts() throws {
        let input = [Nasty.noise.samples(9_000), Nasty.flips.samples(9_000)]
        let limiter = try LimiterProcessor(Limiter(), shape())
        let output = limiter.output(input, cuts: [512])
        limiter.reset()
        #expect(limiter.output(input, cuts: oddCuts) == output)
        limiter.reset()
        #expect(limiter.output(input, cuts: [1]) == output)
    }

    /// The gain of a constant input is what comes out: it bends, and nowhere jumps.
    @Test func gainHasNoCorners() throws {
        var input = [Float](repeating: 0.5, count: 6_000)
        input[3_000] = 4
        let limiter = try LimiterProcessor(Limiter(ceiling: -1, release: 0.05), shape(1))
        let output = limiter.output([input])[0]
        let gains = (500..<5_000).map { 2 * Double(output[$0]) }
        let peak = 3_000 + limiter.latency - 500
        for n in 1..<(gains.count - 1) where abs(n - peak) > 1 {
            #expect(abs(gains[n + 1] - 2 * gains[n] + gains[n - 1]) < 2.5e-3)
        }
        #expect(gains.min() ?? 1 < 0.25)
    }

    @Test func whatIsNoNumberIsForgotten() throws {
        var input = [Float](repeating: 0.25, count: 48_000)
        for frame in 100..<110 { input[frame] = frame % 2 == 0 ? .nan : .infinity }
        input[300] = -.infinity
        input[2_000] = .greatestFiniteMagnitude
        let output = try LimiterProcessor(Limiter(release: 0.01), shape(1)).output([input])[0]
        #expect(output.allSatisfy { abs($0) <= 0.9 })
        #expect(abs(output[47_999] - 0.25) < 1e-6)
    }
}
