import Glibc
import Testing
import TuttiChain
import TuttiEffects

@Suite struct GainTests {
    @Test func gainIsInDecibels() throws {
        var noise = Noise(2)
        let input = [noise.samples(1_000)]
        let output = try GainProcessor(-7.3, shape(1)).output(input)
        let factor = pow(10, -7.3 / 20)
        #expect(difference(output[0], input[0].map { Double($0) * factor }) < -140)
        #expect(throws: EffectError.self) { try GainProcessor(.nan, shape()) }
        #expect(throws: EffectError.self) { try GainProcessor(25, shape()) }
    }
}

@Suite struct MatrixTests {
    @Test(arguments: [(1, 2), (2, 1), (2, 2), (3, 8), (8, 3), (8, 8)])
    func outputsAreSumsOfInputs(inputs: Int, outputs: Int) throws {
        var noise = Noise(3)
        let gains = (0..<outputs).map { _ in (0..<inputs).map { _ in noise.next() / 4 } }
        let sound = (0..<max(inputs, outputs)).map { _ in noise.samples(700) }
        let processor = try MatrixProcessor(ChannelMatrix(gains), shape(inputs))
        #expect(processor.outputChannelCount == outputs)
        let output = processor.output(sound, cuts: oddCuts)
        for row in 0..<outputs {
            let reference = (0..<700).map { frame in
                (0..<inputs).reduce(0.0) { $0 + gains[row][$1] * Double(sound[$1][frame]) }
            }
            #expect(difference(output[row], reference) < -140)
        }
    }

    @Test func inputsAreTheChannels() {
        #expect(throws: EffectError.matrixMismatch(inputs: 2, sound: 1)) { try MatrixProcessor(.mono, shape(1)) }
        #expect(throws: EffectError.settings(.notAMatrix)) {
            try MatrixProcessor(ChannelMatrix([[1, 2], [1]]), shape(2))
        }
    }
}

@Suite struct CrossfeedTests {
    /// The gain of a sine in the left channel, in both outputs.
    private func levels(_ processor: AudioProcessor, frequency: Double, isMono: Bool) -> (Double, Double) {
        processor.reset()
        let sine = (0..<48_000).map { Float(sin(2 * Double.pi * frequency * Double($0) / 48_000)) }
        let output = processor.output([sine, isMono ? sine : [Float](repeating: 0, count: 48_000)])
        func level(_ samples: [Float]) -> Double {
            let energy: Double = samples[24_000...].reduce(0.0) { $0 + Double($1) * Double($1) }
            return decibels((energy / 12_000).squareRoot())
        }
        return (level(output[0]), level(output[1]))
    }

    @Test func otherSideIsSofterByTheLevel() throws {
        let processor = try CrossfeedProcessor(Crossfeed(frequency: 700, level: 4.5), shape())
        let low = levels(processor, frequency: 20, isMono: false)
        #expect(abs(low.0 - low.1 - 4.5) < 0.05)
        let high = levels(processor, frequency: 15_000, isMono: false)
        #expect(high.0 - high.1 > 20)
    }

    @Test(arguments: [(700.0, 4.5), (650, 9.5), (300, 1), (2_000, 15)])
    func monoKeepsItsLevel(frequency: Double, level: Double) throws {
        let processor = try CrossfeedProcessor(Crossfeed(frequency: frequency, level: level), shape())
        #expect(abs(levels(processor, frequency: 10, isMono: true).0) < 0.02)
        #expect(abs(levels(processor, frequency: 10, isMono: true).1) < 0.02)
    }

    @Test func outputIsThatOfPlainFilters() throws {
        var noise = Noise(4)
        let input = [noise.samples(4_000), noise.samples(4_000)]
        let output = try CrossfeedProcessor(Crossfeed(frequency: 700, level: 6), shape()).output(input, cuts: oddCuts)
        // The filters as bs2b has them: G_lo, G_hi and both corners.
        let low = pow(10, (-6.0 * 5 / 6 - 3) / 20)
        let high = 1 - pow(10, (6.0 / 6 - 3) / 20)
        let corner = 700 * pow(2, (20 * log10(low) - 20 * log10(high)) / 12)
        let (x, y) = (exp(-2 * Double.pi * 700 / 48_000), exp(-2 * Double.pi * corner / 48_000))
        let gain = 1 / (1 - high + low)
        func filtered(_ input: [Float], _ b0: Double, _ b1: Double, pole: Double) -> [Double] {
            var (last, out) = (0.0, 0.0)
            var result: [Double] = []
            for sample in input {
                out = b0 * Double(sample) + b1 * last + pole * out
                last = Double(sample)
                result.append(out)
            }
            return result
        }
        for side in 0..<2 {
            let direct = filtered(input[side], 1 - high * (1 - y), -y, pole: y)
            let other = filtered(input[1 - side], low * (1 - x), 0, pole: x)
            #expect(difference(output[side], zip(direct, other).map { gain * ($0 + $1) }) < -140)
        }
    }

    @Test func onlyStereoIsChanged() throws {
        var noise = Noise(5)
        let input = [noise.samples(100)]
        #expect(try CrossfeedProcessor(Crossfeed(), shape(1)).output(input) == input)
    }
}

@Suite struct CrossoverTests {
    @Test(arguments: [12, 24, 48], [80.0, 2_000])
    func sidesAddUpToAnAllPass(slope: Int, frequency: Double) throws {
        func response(_ side: Crossover.Side, _ at: Double) throws -> (Double, Double) {
            let settings = Crossover(side, frequency: frequency, slope: slope)
            var (magnitude, phase) = (1.0, 0.0)
            for biquad in try CrossoverProcessor.biquads(settings, sampleRate: 48_000) {
                let one = biquad.response(at: at, sampleRate: 48_000)
                magnitude *= one.magnitude
                phase += one.phase
            }
            return (magnitude * cos(phase), magnitude * sin(phase))
        }
        for at in [10.0, 70, 80, 95, 1_500, 2_000, 2_600, 20_000] {
            let (low, high) = (try response(.low, at), try response(.high, at))
            #expect(abs(decibels(hypot(low.0 + high.0, low.1 + high.1))) < 1e-6)
        }
        let (low, high) = (try response(.low, frequency), try response(.high, frequency))
        #expect(abs(decibels(hypot(low.0, low.1)) + 6.0206) < 1e-4)
        #expect(abs(decibels(hypot(high.0, high.1)) + 6.0206) < 1e-4)
    }

    @Test(arguments: [12, 24, 48])
    func soundOfBothSidesHasTheEnergyOfTheInput(slope: Int) throws {
        var impulse = [Float](repeating: 0, count: 20_000)
        impulse[0] = 1
        let low = try CrossoverProcessor(Crossover(.low, frequency: 500, slope: slope), shape(1)).output([impulse])[0]
        let high = try CrossoverProcessor(Crossover(.high, frequency: 500, slope: slope), shape(1)).output([impulse])[0]
        let energy = zip(low, high).reduce(0.0) { $0 + pow(Double($1.0) + Double($1.1), 2) }
        #expect(abs(energy - 1) < 1e-5)
    }

    @Test func frequencyLiesBelowHalfOfTheRate() {
        #expect(throws: EffectError.unstable(frequency: 4_000, sampleRate: 8_000)) {
            try CrossoverProcessor(Crossover(.low, frequency: 4_000), shape(rate: 8_000))
        }
    }
}

@Suite struct DelayTests {
    @Test(arguments: [0.0, 0.001, 0.02, 0.1])
    func outputIsThatOfAPlainLine(time: Double) throws {
        var noise = Noise(6)
        let input = [noise.samples(9_000), noise.samples(9_000)]
        let processor = try DelayProcessor(Delay(time: time, feedback: -60, wetDryMix: 35), shape())
        let output = processor.output(input, cuts: oddCuts)
        let length = Int((time * 48_000).rounded())
        for channel in 0..<2 {
            var line = [Double](repeating: 0, count: 9_000)
            let reference = (0..<9_000).map { frame in
                let x = Double(input[channel][frame])
                guard length > 0 else { return x }
                let late = frame >= length ? line[frame - length] : 0
                line[frame] = x - 0.6 * late
                return 0.65 * x + 0.35 * late
            }
            #expect(difference(output[channel], reference) < -140)
        }
        processor.reset()
        #expect(processor.output(input) == output)
    }

    @Test func tailLastsUntilEchoesAreSoft() throws {
        #expect(try DelayProcessor(Delay(time: 0.5), shape()).tail == 24_000)
        let processor = try DelayProcessor(Delay(time: 0.01, feedback: 50, wetDryMix: 50), shape(1))
        var input = [Float](repeating: 0, count: processor.tail + 2_000)
        input[0] = 1
        let output = processor.output([input])[0]
        #expect(output[(processor.tail + 1)...].allSatisfy { abs($0) < 1e-5 })
        #expect(throws: EffectError.self) { try DelayProcessor(Delay(time: .infinity), shape()) }
    }
}

@Suite struct CompressorTests {
    private func settled(_ level: Double, _ settings: Compressor) throws -> Double {
        let amplitude = Float(pow(10, level / 20))
        let input = (0..<48_000).map { $0 % 2 == 0 ? amplitude : -amplitude }
        let output = try CompressorProcessor(settings, shape(1)).output([input])[0]
        return decibels(Double(abs(output[47_999])))
    }

    @Test func steadyLevelsFollowTheCurve() throws {
        let settings = Compressor(threshold: -20, ratio: 4, knee: 6, attack: 0.001, release: 0.05, makeUpGain: 2)
        for (level, wanted) in [(-40.0, -38.0), (-23, -21), (-20, -18 - 0.75 * 9 / 12), (-17, -17.25), (0, -13)] {
            #expect(abs(try settled(level, settings) - wanted) < 1e-3)
        }
        let hard = Compressor(threshold: -20, ratio: 100, knee: 0, attack: 0.001, release: 0.05)
        #expect(abs(try settled(0, hard) + 19.8) < 1e-3)
    }

    @Test func attackIsATimeConstant() throws {
        let settings = Compressor(threshold: -20, ratio: 2, knee: 0, attack: 0.01, release: 0.2)
        let output = try CompressorProcessor(settings, shape(1)).output([[Float](repeating: 1, count: 4_800)])[0]
        #expect(abs(decibels(Double(output[479])) + 10 * (1 - exp(-1))) < 0.01)
    }

    @Test func channelsAreTurnedDownAlikeHoweverInputIsCut() throws {
        var noise = Noise(7)
        let loud = noise.samples(5_000, amplitude: 1)
        let input = [loud, loud.map { $0 / 8 }]
        let processor = try CompressorProcessor(Compressor(), shape())
        let output = processor.output(input)
        for (left, right) in zip(output[0], output[1]) { #expect(abs(left / 8 - right) < 1e-7) }
        processor.reset()
        #expect(processor.output(input, cuts: oddCuts) == output)
    }

    @Test func whatIsNoNumberIsForgotten() throws {
        let processor = try CompressorProcessor(Compressor(release: 0.01), shape(1))
        _ = processor.output([[.nan, .infinity, -.infinity, .nan]])
        let output = processor.output([[Float](repeating: 0.01, count: 48_000)])[0]
        #expect(abs(output[47_999] - 0.01) < 1e-6)
    }
}
