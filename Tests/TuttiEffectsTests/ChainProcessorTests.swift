import CKernels
import Glibc
import Testing
import TuttiChain
import TuttiEffects

@Suite struct ChainProcessorTests {
    private let bands = [EQBand(.lowShelf, frequency: 100, gain: -3), EQBand(.peak, frequency: 3_000, gain: 4, q: 2)]

    @Test func emptyChainsChangeNothing() throws {
        var noise = Noise(20)
        let input = [noise.samples(1_000) + [-0.0, .leastNonzeroMagnitude, 3e5], noise.samples(1_003)]
        let chain = try ChainProcessor(EffectChain(), shape())
        let output = chain.output(input)
        #expect(output.map { $0.map(\.bitPattern) } == input.map { $0.map(\.bitPattern) })
        #expect([chain.latency, chain.tail, chain.nonFiniteCount] == [0, 0, 0])
    }

    @Test func effectsFollowEachOther() throws {
        var noise = Noise(21)
        let input = [noise.samples(4_000), noise.samples(4_000)]
        let effects: [Effect] = [
            .equalizer(bands), .delay(Delay(time: 0.01, wetDryMix: 40)), .limiter(Limiter(ceiling: -12)), .gain(3),
        ]
        let chain = try ChainProcessor(EffectChain(effects), shape())
        let steps: [AudioProcessor] = [
            try EqualizerProcessor(bands: bands, shape()),
            try DelayProcessor(Delay(time: 0.01, wetDryMix: 40), shape()),
            try LimiterProcessor(Limiter(ceiling: -12), shape()), try GainProcessor(3, shape()),
        ]
        var wanted = input
        for step in steps { wanted = step.output(wanted) }
        #expect(chain.output(input, cuts: oddCuts) == wanted)
        #expect(chain.latency == steps[2].latency)
        #expect(chain.tail == steps.reduce(0) { $0 + $1.tail })
    }

    @Test func matricesInTheMiddleHaveTheirOwnPlanes() throws {
        var noise = Noise(22)
        let input = [noise.samples(2_000)]
        let up = ChannelMatrix((0..<8).map { [Double($0) / 8] })
        let down = ChannelMatrix([[Double](repeating: 0.25, count: 8)])
        let chain = try ChainProcessor(EffectChain([.channels(up), .gain(-6), .channels(down)]), shape(1))
        #expect(chain.outputChannelCount == 1)
        let factor = 28.0 / 8 / 4 * pow(10, -6.0 / 20)
        #expect(difference(chain.output(input)[0], input[0].map { Double($0) * factor }) < -130)
        #expect(throws: EffectError.matrixMismatch(inputs: 2, sound: 8)) {
            try ChainProcessor(EffectChain([.channels(up), .channels(.mono)]), shape(1))
        }
    }

    @Test func whatIsNotFiniteStopsAtTheEdge() throws {
        let chain = try ChainProcessor(EffectChain([.equalizer(bands), .compressor(Compressor())]), shape(1))
        var noise = Noise(23)
        let clean = noise.samples(3_000)
        var input = clean
        (input[10], input[11], input[700]) = (.nan, .infinity, -.infinity)
        var silenced = clean
        (silenced[10], silenced[11], silenced[700]) = (0, 0, 0)
        let output = chain.output([input])
        chain.reset()
        #expect(chain.output([silenced]) == output)
        #expect(chain.nonFiniteCount == 3)
    }

    @Test func effectsForgetWhatMadeThemOverflow() throws {
        let chain = try ChainProcessor(EffectChain([.gain(24), .delay(Delay(time: 0.001, feedback: 99))]), shape(1))
        let output = chain.output([[Float](repeating: 3e38, count: 100) + [Float](repeating: 0.5, count: 4_000)])[0]
        #expect(output.allSatisfy { $0.isFinite })
        #expect(chain.nonFiniteCount > 0)
        _ = chain.output([[Float](repeating: .greatestFiniteMagnitude, count: 100)])
        let after = chain.output([[Float](repeating: 0.01, count: 4_000)])[0]
        #expect(after.allSatisfy { $0.isFinite && abs($0) < 100 })
    }

    @Test func chainsAreValid() {
        #expect(throws: EffectError.self) { try ChainProcessor(EffectChain([.gain(.infinity)]), shape()) }
        #expect(throws: EffectError.noImpulse("hall")) {
            try ChainProcessor(EffectChain([.convolution(Convolution(impulse: "hall"))]), shape())
        }
        #expect(throws: EffectError.self) {
            try ChainProcessor(EffectChain([Effect](repeating: .gain(0), count: 33)), shape())
        }
    }

    @Test func allKindsOfEffectsRun() throws {
        let effects: [Effect] = [
            .gain(-3), .channels(.swapped), .equalizer(bands), .convolution(Convolution(impulse: "hall")),
            .reverb(Reverb()), .delay(Delay(time: 0.01)), .crossfeed(Crossfeed()), .compressor(Compressor()),
            .crossover(Crossover(.low, frequency: 5_000)), .limiter(Limiter()),
        ]
        let hall = try #require(ImpulseResponse(channels: [[0.5, 0.25, 0, -0.1]], sampleRate: 48_000))
        let chain = try ChainProcessor(EffectChain(effects), impulses: ["hall": hall], shape())
        var noise = Noise(24)
        let input = [noise.samples(6_000), noise.samples(6_000)]
        let output = chain.output(input, cuts: [512])
        #expect(output.allSatisfy { $0.contains { abs($0) > 0.01 } })
        #expect(chain.nonFiniteCount == 0)
        chain.reset()
        #expect(chain.output(input, cuts: oddCuts) == output)
        #expect(chain.latency >= 100 && chain.tail > 48_000)
    }

    @Test func processorsModeIsRestored() throws {
        let before = tutti_denormals_mode()
        let chain = try ChainProcessor(EffectChain([.gain(-120)]), shape(1))
        let output = chain.output([[Float](repeating: 1e-36, count: 512)])[0]
        #expect(output[100] == 0, "numbers too small to be normal are 0 in the chain")
        #expect(tutti_denormals_mode() == before)
        #expect(Float(1e-36) * Float(1e-6) != 0)
    }

    @Test func decayIsNotSlowerAtItsEnd() throws {
        let effects: [Effect] = [.delay(Delay(time: 0.001, feedback: 90)), .equalizer(bands)]
        let chain = try ChainProcessor(EffectChain(effects), shape(1))
        /// Processor time of a second, in µs.
        func second(_ first: Float) -> Double {
            let sound = Sound([[first] + [Float](repeating: 0, count: 47_999)])
            let start = clock()
            sound.process(chain, cuts: [512])
            return Double(clock() - start)
        }
        let loud = (0..<5).map { _ in second(1) }.min() ?? 0
        // After two seconds what circulates in the delay is below the least normal number.
        _ = [second(0), second(0)]
        let end = (0..<5).map { _ in second(0) }.min() ?? 0
        #expect(end < 5 * loud + 2_000)
    }
}
