import Glibc
import Testing
import TuttiChain
import TuttiEffects

@Suite("Reverberation") struct ReverbProcessorTests {
    private func processor(
        _ preset: Reverb.Preset, mix: Double = 100, channels: Int = 2, rate: Int = 48_000
    ) throws -> ReverbProcessor {
        try ReverbProcessor(
            Reverb(preset, wetDryMix: mix), .init(sampleRate: rate, channelCount: channels, maximumFrames: 4_096))
    }

    /// An octave around a frequency: two second-order band passes, one after the other.
    private func octave(_ input: [Float], around frequency: Double, rate: Double) -> [Double] {
        let angle = 2 * .pi * frequency / rate
        let alpha = sin(angle) / (2 * 2.0.squareRoot())
        var signal = input.map(Double.init)
        for _ in 0..<2 {
            var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
            for index in signal.indices {
                let x = signal[index]
                let y = (alpha * (x - x2) + 2 * cos(angle) * y1 - (1 - alpha) * y2) / (1 + alpha)
                (x2, x1, y2, y1) = (x1, x, y1, y)
                signal[index] = y
            }
        }
        return signal
    }

    /// Seconds for 60 dB, from the backward-integrated energy (M. R. Schroeder, 1965) between −5 and −35 dB.
    private func decay(_ signal: [Double], rate: Double) -> Double {
        var energy = 0.0
        let levels = signal.reversed().map { value -> Double in
            energy += value * value
            return 10 * log10(max(energy, 1e-300))
        }.reversed().map { $0 - 10 * log10(energy) }
        let points = levels.enumerated().filter { $0.element <= -5 && $0.element >= -35 }
        let count = Double(points.count)
        let meanTime = points.reduce(0) { $0 + Double($1.offset) } / count
        let meanLevel = points.reduce(0) { $0 + $1.element } / count
        var (product, square) = (0.0, 0.0)
        for (time, level) in points {
            product += (Double(time) - meanTime) * (level - meanLevel)
            square += (Double(time) - meanTime) * (Double(time) - meanTime)
        }
        return -60 * square / product / rate
    }

    @Test(
        "a click decays by 60 dB in the preset's times, give or take 10 %", arguments: Reverb.Preset.allCases,
        [44_100, 48_000, 96_000])
    func decays(preset: Reverb.Preset, rate: Int) throws {
        let room = ReverbRoom(preset)
        let click = TestSound.click(frames: Int(1.2 * room.lowDecay * Double(rate)))
        let output = click.processed(by: try processor(preset, rate: rate), cuts: [4_096])
        for channel in output.channels {
            let low = decay(octave(channel, around: 200, rate: Double(rate)), rate: Double(rate))
            #expect(abs(low / room.lowDecay - 1) < 0.1, "200 Hz: \(low) s, wanted \(room.lowDecay) s")
            let high = decay(octave(channel, around: 8_000, rate: Double(rate)), rate: Double(rate))
            #expect(abs(high / room.highDecay - 1) < 0.1, "8 kHz: \(high) s, wanted \(room.highDecay) s")
        }
    }

    @Test("the tail is over when it says so", arguments: Reverb.Preset.allCases)
    func tail(preset: Reverb.Preset) throws {
        let processor = try processor(preset)
        var sound = TestSound.noise(frames: 96_000 + processor.tail + 48_000)
        for channel in sound.channels.indices {
            for frame in 96_000..<sound.frameCount { sound.channels[channel][frame] = 0 }
        }
        let output = sound.processed(by: processor, cuts: [4_096]).channels[0]
        #expect(output[(96_000 + processor.tail)...].allSatisfy { abs($0) < 1e-5 })
        #expect(output[(96_000 + processor.tail / 2)...].contains { abs($0) > 1e-5 })
    }

    @Test("noise comes out about as loud as it went in, however long it lasts", arguments: Reverb.Preset.allCases)
    func energy(preset: Reverb.Preset) throws {
        for channels in [1, 2, 3, 6, 8] {
            let sound = TestSound.noise(channels: channels, frames: 48_000 * 20)
            let output = sound.processed(by: try processor(preset, channels: channels), cuts: [4_096])
            func power(_ samples: ArraySlice<Float>) -> Double {
                samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
            }
            for (channel, samples) in output.channels.enumerated() {
                let gain = 10 * log10(power(samples.suffix(96_000)) / power(sound.channels[channel].suffix(96_000)))
                #expect(abs(gain) < 5, "\(channels) channels: \(gain) dB in channel \(channel)")
                #expect(samples.allSatisfy { abs($0) < 8 })
            }
        }
    }

    @Test("sides of a click in the middle are unlike each other", arguments: Reverb.Preset.allCases)
    func decorrelation(preset: Reverb.Preset) throws {
        let output = TestSound.click(frames: 48_000).processed(by: try processor(preset), cuts: [4_096])
        var (product, left, right) = (0.0, 0.0, 0.0)
        for (l, r) in zip(output.channels[0], output.channels[1]) {
            product += Double(l) * Double(r)
            left += Double(l) * Double(l)
            right += Double(r) * Double(r)
        }
        #expect(abs(product / (left * right).squareRoot()) < 0.2)
    }

    @Test("echoes are as dense as noise soon", arguments: Reverb.Preset.allCases)
    func density(preset: Reverb.Preset) throws {
        let output = TestSound.click(frames: 48_000).processed(by: try processor(preset), cuts: [4_096]).channels[0]
        let start = try #require(output.firstIndex { $0 != 0 })
        // J. S. Abel, P. Huang, "A simple, robust measure of reverberation echo density", 2006: the share of samples
        // outside the standard deviation, relative to Gaussian noise's.
        func density(from first: Int) -> Double {
            let window = output[first..<first + 1_920].map(Double.init)
            let deviation = (window.reduce(0) { $0 + $1 * $1 } / 1_920).squareRoot()
            return Double(window.count { abs($0) > deviation }) / 1_920 / 0.3173
        }
        let reached = stride(from: start, to: 40_000, by: 240).first { density(from: $0) > 0.9 }
        let milliseconds = Double(try #require(reached) - start) / 48
        #expect(milliseconds <= 1_000 * longestLine(preset), "\(milliseconds) ms")
    }

    /// Seconds; from the table of `ReverbRoom`.
    private func longestLine(_ preset: Reverb.Preset) -> Double {
        switch preset {
        case .smallRoom: 0.026
        case .mediumRoom: 0.038
        case .largeRoom: 0.054
        case .mediumHall: 0.076
        case .largeHall: 0.098
        case .plate: 0.067
        case .cathedral: 0.133
        }
    }

    @Test("the same bytes however the sound is cut, at every rate", arguments: [8_000, 44_100, 48_000, 192_000])
    func cuts(rate: Int) throws {
        let sound = TestSound.noise(frames: 20_000)
        for preset in [Reverb.Preset.smallRoom, .plate, .cathedral] {
            let processor = try processor(preset, mix: 40, rate: rate)
            let whole = sound.processed(by: processor, cuts: [4_096])
            for cuts in [[1], [63, 64, 65], [480], [7, 4_096, 8], [2, 3, 5, 9]] {
                processor.reset()
                #expect(sound.processed(by: processor, cuts: cuts).bits == whole.bits, "\(preset), \(cuts)")
            }
            let another = try self.processor(preset, mix: 40, rate: rate)
            #expect(sound.processed(by: another, cuts: [4_096]).bits == whole.bits)
        }
    }

    @Test("dry sound is untouched, bit for bit; half of each is half of each")
    func mix() throws {
        var sound = TestSound.noise(frames: 10_000)
        sound.channels[1][5] = .nan
        let dry = try processor(.largeHall, mix: 0)
        #expect(sound.processed(by: dry, cuts: [480]).bits == sound.bits)
        #expect(dry.tail == 0 && dry.latency == 0)
        sound.channels[1][5] = 0
        let wet = sound.processed(by: try processor(.largeHall), cuts: [480])
        let half = sound.processed(by: try processor(.largeHall, mix: 50), cuts: [480])
        for frame in 0..<10_000 {
            let wanted = (sound.channels[0][frame] + wet.channels[0][frame]) / 2
            #expect(abs(half.channels[0][frame] - wanted) < 1e-6)
        }
    }

    @Test("what is not a number is silence to the room")
    func badSamples() throws {
        var sound = TestSound.noise(frames: 10_000)
        sound.channels[0][100] = 0
        sound.channels[1][200] = 0
        let processor = try processor(.plate)
        let wanted = sound.processed(by: processor, cuts: [480])
        sound.channels[0][100] = .nan
        sound.channels[1][200] = -.infinity
        processor.reset()
        let output = sound.processed(by: processor, cuts: [480])
        #expect(output.bits[0][101...] == wanted.bits[0][101...])
        #expect(output.bits[1][201...] == wanted.bits[1][201...])
    }

    @Test("after the tail there is silence, not numbers too small for processors to be quick with")
    func denormals() throws {
        let processor = try processor(.smallRoom)
        _ = TestSound.noise(frames: 48_000).processed(by: processor, cuts: [4_096])
        let silence = TestSound([[Float]](repeating: [Float](repeating: 0, count: 48_000 * 10), count: 2))
        let output = silence.processed(by: processor, cuts: [4_096])
        #expect(output.channels.allSatisfy { $0.allSatisfy { !$0.isSubnormal } })
        #expect(output.channels.allSatisfy { $0.suffix(48_000).allSatisfy { $0 == 0 } })
    }

    @Test("mixes outside their limits are refused", arguments: [-0.1, 100.1, Double.nan, .infinity])
    func limits(mix: Double) {
        #expect(throws: EffectError.self) { try processor(.plate, mix: mix) }
    }
}
