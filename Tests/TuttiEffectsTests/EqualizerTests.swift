import Glibc
import Testing
import TuttiChain
import TuttiEffects

@Suite struct EqualizerTests {
    private static let graphic = (0..<31).map { band in
        EQBand(.peak, frequency: 20 * pow(2, Double(band) / 3), gain: band % 2 == 0 ? 3 : -4, q: 4.3)
    }

    private static func mixed(_ count: Int) -> [EQBand] {
        (0..<count).map { band in
            let kind = EQBand.Kind.allCases[band % EQBand.Kind.allCases.count]
            let frequency = kind == .lowPass ? 15_000 : kind == .highPass ? 30 : 60 * pow(1.9, Double(band % 9))
            return EQBand(kind, frequency: frequency, gain: kind.hasGain ? Double(band % 5) - 2.5 : 0, q: 0.9)
        }
    }

    /// Direct form I, one filter after the other.
    private static func reference(_ input: [Float], _ biquads: [Biquad]) -> [Double] {
        var signal = input.map(Double.init)
        for f in biquads {
            var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
            for n in signal.indices {
                let x = signal[n]
                let y = f.b0 * x + f.b1 * x1 + f.b2 * x2 - f.a1 * y1 - f.a2 * y2
                (x2, x1, y2, y1) = (x1, x, y1, y)
                signal[n] = y
            }
        }
        return signal
    }

    @Test(arguments: [1, 2, 3, 5, 7, 8, 9, 10, 16, 31, 128], [1, 2, 3, 8])
    func outputIsThatOfPlainFilters(bandCount: Int, channelCount: Int) throws {
        let bands = bandCount == 31 ? Self.graphic : Self.mixed(bandCount)
        var noise = Noise(UInt64(bandCount))
        let input = (0..<channelCount).map { _ in noise.samples(3_000, amplitude: 0.1) }
        let biquads = try bands.map { try Biquad($0, sampleRate: 48_000) }
        for isWide in [nil, false] {
            let equalizer = try EqualizerProcessor(bands: bands, isWide: isWide, shape(channelCount))
            let output = equalizer.output(input, cuts: oddCuts)
            for channel in 0..<channelCount {
                #expect(difference(output[channel], Self.reference(input[channel], biquads)) < -140)
            }
            equalizer.reset()
            #expect(equalizer.output(input, cuts: [512]) == output)
        }
    }

    @Test func flatBandsLeaveSoundAsItIs() throws {
        var noise = Noise(1)
        let input = [noise.samples(1_000), noise.samples(1_000)]
        let equalizer = try EqualizerProcessor(bands: [EQBand(.peak, frequency: 1_000)], shape())
        #expect(equalizer.output(input) == input)
        #expect(equalizer.tail == 0)
    }

    @Test func frequenciesLieBelowHalfOfTheRate() throws {
        let band = EQBand(.peak, frequency: 24_000, gain: 3)
        #expect(throws: EffectError.unstable(frequency: 24_000, sampleRate: 48_000)) {
            try EqualizerProcessor(bands: [band], shape())
        }
        #expect(throws: Never.self) { try EqualizerProcessor(bands: [band], shape(rate: 96_000)) }
        #expect(throws: EffectError.self) { try EqualizerProcessor(bands: [], shape()) }
        #expect(throws: EffectError.self) {
            try EqualizerProcessor(bands: [EQBand(.peak, frequency: .nan, gain: 3)], shape())
        }
    }

    @Test func nothingSoundsAfterTheTail() throws {
        let equalizer = try EqualizerProcessor(bands: Self.graphic, shape(1))
        var input = [Float](repeating: 0, count: equalizer.tail + 5_000)
        input[0] = 1
        let output = equalizer.output([input])[0]
        #expect(output[(equalizer.tail + 1)...].allSatisfy { abs($0) < 1e-5 })
    }
}

@Suite struct BiquadTests {
    private func magnitude(_ band: EQBand, at frequency: Double) throws -> Double {
        let response = try Biquad(band, sampleRate: 48_000).response(at: frequency, sampleRate: 48_000)
        return decibels(response.magnitude)
    }

    @Test func kindsDoWhatTheyAreFor() throws {
        let q = 0.5.squareRoot()
        func near(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 0.01 }
        #expect(near(try magnitude(EQBand(.peak, frequency: 1_000, gain: 6, q: 2), at: 1_000), 6))
        #expect(near(try magnitude(EQBand(.peak, frequency: 1_000, gain: 6, q: 2), at: 5), 0))
        #expect(near(try magnitude(EQBand(.lowShelf, frequency: 1_000, gain: -9), at: 5), -9))
        #expect(near(try magnitude(EQBand(.lowShelf, frequency: 1_000, gain: -9), at: 1_000), -4.5))
        #expect(near(try magnitude(EQBand(.lowShelf, frequency: 1_000, gain: -9), at: 23_000), 0))
        #expect(near(try magnitude(EQBand(.highShelf, frequency: 1_000, gain: 7), at: 23_000), 7))
        #expect(near(try magnitude(EQBand(.highShelf, frequency: 1_000, gain: 7), at: 5), 0))
        #expect(near(try magnitude(EQBand(.lowPass, frequency: 1_000, q: q), at: 1_000), -3.0103))
        #expect(near(try magnitude(EQBand(.highPass, frequency: 1_000, q: q), at: 1_000), -3.0103))
        #expect(try abs(magnitude(EQBand(.highPass, frequency: 1_000, q: q), at: 100) + 40) < 0.05)
        #expect(try magnitude(EQBand(.notch, frequency: 1_000, q: 5), at: 1_000) < -200)
        for frequency in [10.0, 900, 1_000, 20_000] {
            #expect(try abs(magnitude(EQBand(.allPass, frequency: 1_000), at: frequency)) < 1e-9)
        }
    }

    @Test(arguments: EQBand.Kind.allCases)
    func responseIsThatOfTheImpulse(kind: EQBand.Kind) throws {
        let f = try Biquad(EQBand(kind, frequency: 3_000, gain: 5, q: 1.2), sampleRate: 48_000)
        for frequency in [20.0, 2_500, 3_700, 17_000] {
            var (real, imaginary, x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            for n in 0..<4_000 {
                let x = n == 0 ? 1.0 : 0
                let y = f.b0 * x + f.b1 * x1 + f.b2 * x2 - f.a1 * y1 - f.a2 * y2
                (x2, x1, y2, y1) = (x1, x, y1, y)
                real += y * cos(2 * Double.pi * frequency / 48_000 * Double(n))
                imaginary -= y * sin(2 * Double.pi * frequency / 48_000 * Double(n))
            }
            let response = f.response(at: frequency, sampleRate: 48_000)
            #expect(abs(response.magnitude * cos(response.phase) - real) < 1e-9)
            #expect(abs(response.magnitude * sin(response.phase) - imaginary) < 1e-9)
        }
    }

    @Test func stabilityIsThatOfThePoles() {
        #expect(Biquad(b0: 1, b1: 0, b2: 0, a1: -1.9, a2: 0.95).isStable)
        #expect(!Biquad(b0: 1, b1: 0, b2: 0, a1: -1.99, a2: 0.95).isStable)
        #expect(!Biquad(b0: 1, b1: 0, b2: 0, a1: 0, a2: 1).isStable)
        #expect(!Biquad(b0: .nan, b1: 0, b2: 0, a1: 0, a2: 0).isStable)
        #expect(abs(Biquad(b0: 1, b1: 0, b2: 0, a1: -1.7, a2: 0.72).poleRadius - 0.9) < 1e-12)
    }
}
