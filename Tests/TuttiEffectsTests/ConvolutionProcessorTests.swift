import Glibc
import Testing
import TuttiChain
import TuttiEffects

@Suite("Convolution") struct ConvolutionProcessorTests {
    /// Noise that decays by 40 dB, so scaled that full-scale noise stays below full scale.
    private func response(taps: Int, channels: Int = 2, seed: UInt64 = 7) throws -> ImpulseResponse {
        let noise = TestSound.noise(channels: channels, frames: taps, seed: seed)
        let shaped = noise.channels.map { channel in
            let values = channel.enumerated().map { Double($1) * pow(10, -2 * Double($0) / Double(taps)) }
            let energy = values.reduce(0) { $0 + $1 * $1 }
            // The convolution of uniform noise has a deviation of the energy's root, times 1 / √3.
            return values.map { Float($0 / energy.squareRoot() * 0.36) }
        }
        return try #require(ImpulseResponse(channels: shaped, sampleRate: 48_000))
    }

    private func shape(_ frames: Int, channels: Int = 2) -> AudioProcessor.Shape {
        .init(sampleRate: 48_000, channelCount: channels, maximumFrames: frames)
    }

    /// One output frame as the definition has it.
    private func exact(_ input: [Float], _ taps: [Float], at frame: Int) -> Double {
        var sum = 0.0
        for tap in 0..<taps.count where frame - tap >= 0 && frame - tap < input.count {
            sum += Double(taps[tap]) * Double(input[frame - tap])
        }
        return sum
    }

    /// The largest difference from the definition at every `step`th frame, relative to full scale, and the peak.
    private func difference(
        _ sound: TestSound, _ output: TestSound, _ response: ImpulseResponse, latency: Int, step: Int
    ) -> (error: Double, peak: Double) {
        var (error, peak) = (0.0, 0.0)
        for channel in sound.channels.indices {
            let taps = response.channels[response.channels.count == 1 ? 0 : channel]
            for frame in stride(from: 0, to: sound.frameCount, by: step) {
                let wanted = exact(sound.channels[channel], taps, at: frame - latency)
                let got = Double(output.channels[channel][frame])
                error = max(error, abs(got - wanted))
                peak = max(peak, abs(got))
            }
        }
        return (error, peak)
    }

    @Test("65 536 taps differ from the definition by less than −140 dB of full scale", arguments: [false, true])
    func longNull(hasZeroLatency: Bool) throws {
        let response = try response(taps: 65_536)
        let sound = TestSound.noise(frames: 240_000)
        for period in [480, 8_192] {
            let processor = try ConvolutionProcessor(
                response, settings: Convolution(impulse: "x", hasZeroLatency: hasZeroLatency), shape(period),
                compensatesDelay: false)
            #expect((processor.latency == 0) == hasZeroLatency)
            let output = sound.processed(by: processor, cuts: [period])
            let (error, peak) = difference(sound, output, response, latency: processor.latency, step: 97)
            #expect(peak > 0.5 && peak <= 1.2)
            #expect(20 * log10(error) < -140, "\(20 * log10(error)) dB")
        }
    }

    @Test(
        "lengths around the partitions' borders",
        arguments: [1, 2, 63, 64, 65, 127, 128, 129, 500, 513, 1_023, 2_048, 4_096, 5_000, 9_001])
    func lengths(taps: Int) throws {
        let response = try response(taps: taps, channels: 1)
        let sound = TestSound.noise(frames: 12_000)
        for hasZeroLatency in [false, true] {
            for maximumFrames in [1, 240, 480, 1_024, 8_192] {
                let processor = try ConvolutionProcessor(
                    response, settings: Convolution(impulse: "x", hasZeroLatency: hasZeroLatency),
                    shape(maximumFrames), compensatesDelay: false)
                let output = sound.processed(by: processor, cuts: [maximumFrames])
                let error = difference(sound, output, response, latency: processor.latency, step: 61).error
                #expect(20 * log10(error) < -140, "\(maximumFrames) frames, latency \(processor.latency)")
            }
        }
    }

    @Test("the same bytes however the sound is cut", arguments: [false, true])
    func cuts(hasZeroLatency: Bool) throws {
        let response = try response(taps: 40_000)
        let sound = TestSound.noise(frames: 60_000)
        let settings = Convolution(impulse: "x", hasZeroLatency: hasZeroLatency)
        let processor = try ConvolutionProcessor(response, settings: settings, shape(480))
        let whole = sound.processed(by: processor, cuts: [480])
        for cuts in [[1], [7, 480, 13], [64], [255, 256, 257], [480, 1, 479]] {
            processor.reset()
            #expect(sound.processed(by: processor, cuts: cuts).bits == whole.bits, "\(cuts)")
        }
        let another = try ConvolutionProcessor(response, settings: settings, shape(480))
        #expect(sound.processed(by: another, cuts: [480]).bits == whole.bits)
    }

    @Test("channels are apart, and the gain is that of the settings")
    func channels() throws {
        let response = try #require(ImpulseResponse(channels: [[1], [0], [0.5]], sampleRate: 48_000))
        let processor = try ConvolutionProcessor(
            response, settings: Convolution(impulse: "x", gain: 20, hasZeroLatency: true), shape(64, channels: 3))
        let sound = TestSound([[0.1, 0], [0.2, 0], [0.3, 0.1]])
        #expect(sound.processed(by: processor, cuts: [64]) == TestSound([[1, 0], [0, 0], [1.5, 0.5]]))
    }

    @Test("a linear-phase filter's centre counts as latency, so that a click stays where it was")
    func linearPhase() throws {
        let taps = 4_095
        let coefficients = (0..<taps).map { tap -> Float in
            let x = Double(tap - taps / 2)
            let window = 0.5 + 0.5 * cos(2 * .pi * x / Double(taps))
            return Float(x == 0 ? 0.5 : sin(.pi * 0.5 * x) / (.pi * x) * window)
        }
        let response = try #require(ImpulseResponse(channels: [coefficients], sampleRate: 48_000))
        #expect(response.delay == taps / 2)
        for hasZeroLatency in [false, true] {
            let settings = Convolution(impulse: "x", hasZeroLatency: hasZeroLatency)
            let processor = try ConvolutionProcessor(response, settings: settings, shape(480))
            let plain = try ConvolutionProcessor(
                response, settings: settings, shape(480), compensatesDelay: false)
            #expect(processor.latency == plain.latency + taps / 2)
            let output = TestSound.click(frames: 20_000).processed(by: processor, cuts: [480])
            let peak = output.channels[1].indices.max { output.channels[1][$0] < output.channels[1][$1] }
            #expect(peak == processor.latency)
            #expect(output.channels[0][(plain.tail + 1)...].allSatisfy { abs($0) < 1e-12 })
        }
    }

    @Test("a response of another rate keeps its gain and its place", arguments: [8_000, 44_100, 96_000, 192_000])
    func resampling(rate: Int) throws {
        // A low pass of 1 kHz, its centre 10 ms after the beginning.
        let centre = rate / 100
        let width = Double(rate) / 1_000
        let coefficients = (0...2 * centre).map { frame -> Float in
            let x = Double(frame - centre)
            return Float(exp(-x * x / (2 * width * width)) / (width * (2 * .pi).squareRoot()))
        }
        let response = try #require(ImpulseResponse(channels: [coefficients], sampleRate: rate))
        let processor = try ConvolutionProcessor(
            response, settings: Convolution(impulse: "x", hasZeroLatency: true), shape(480))
        let output = TestSound.click(frames: 8_192).processed(by: processor, cuts: [480]).channels[0]
        #expect(abs(output.reduce(0) { $0 + Double($1) } - 1) < 1e-5)
        #expect(output.indices.max { output[$0] < output[$1] } == processor.latency)
        for frame in 0..<960 {
            let x = Double(frame - 480)
            let wanted = exp(-x * x / (2 * 48 * 48)) / (48 * (2 * Double.pi).squareRoot())
            #expect(abs(Double(output[processor.latency - 480 + frame]) - wanted) < 1e-6)
        }
    }

    @Test("a click as response at another rate is a click of a flat band")
    func resampledClick() throws {
        let response = try #require(ImpulseResponse(channels: [[1]], sampleRate: 44_100))
        let processor = try ConvolutionProcessor(
            response, settings: Convolution(impulse: "x", hasZeroLatency: true), shape(480))
        let output = TestSound.click(frames: 1_024).processed(by: processor, cuts: [480]).channels[0]
        for frequency in [0.0, 100, 1_000, 10_000, 20_000] {
            var (real, imaginary) = (0.0, 0.0)
            for (frame, value) in output.enumerated() {
                real += Double(value) * cos(2 * .pi * frequency * Double(frame) / 48_000)
                imaginary += Double(value) * sin(2 * .pi * frequency * Double(frame) / 48_000)
            }
            #expect(abs(20 * log10(hypot(real, imaginary))) < 0.01, "\(frequency) Hz")
        }
    }

    @Test("what is not a number leaves with the response's end")
    func recovery() throws {
        let response = try response(taps: 9_000)
        var sound = TestSound.noise(frames: 60_000)
        let clean = sound
        sound.channels[0][10] = .nan
        sound.channels[0][700] = .infinity
        for hasZeroLatency in [false, true] {
            let settings = Convolution(impulse: "x", hasZeroLatency: hasZeroLatency)
            let processor = try ConvolutionProcessor(response, settings: settings, shape(480))
            let output = sound.processed(by: processor, cuts: [480])
            processor.reset()
            let wanted = clean.processed(by: processor, cuts: [480])
            #expect(output.bits[1] == wanted.bits[1])
            #expect(output.bits[0].suffix(20_000) == wanted.bits[0].suffix(20_000))
        }
    }

    @Test("what cannot be used is refused") func refusals() throws {
        let settings = Convolution(impulse: "hall.wav")
        func attempt(
            _ channels: [[Float]], rate: Int = 48_000, settings: Convolution = settings, of sound: Int = 2
        ) throws {
            let response = try #require(ImpulseResponse(channels: channels, sampleRate: rate))
            _ = try ConvolutionProcessor(response, settings: settings, shape(480, channels: sound))
        }
        #expect(throws: EffectError.unusableImpulse("hall.wav")) { try attempt([[0, 0], [0, 0]]) }
        #expect(throws: EffectError.unusableImpulse("hall.wav")) { try attempt([[1, .nan]]) }
        #expect(throws: EffectError.unusableImpulse("hall.wav")) { try attempt([[1, .infinity]]) }
        #expect(throws: EffectError.unusableImpulse("hall.wav")) { try attempt([[1]], rate: 2_000_000_000) }
        #expect(throws: EffectError.unusableImpulse("hall.wav")) {
            try attempt([[Float](repeating: 1, count: 1 << 19)], rate: 8_000)
        }
        #expect(throws: EffectError.channelMismatch(impulse: 2, sound: 6)) { try attempt([[1], [1]], of: 6) }
        for gain in [Double.nan, 24.1, -.infinity] {
            #expect(throws: EffectError.self) {
                try attempt([[1]], settings: Convolution(impulse: "hall.wav", gain: gain))
            }
        }
    }
}
