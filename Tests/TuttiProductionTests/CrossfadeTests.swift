import Glibc
import Testing
import TuttiProduction

/// The mixing by itself.
@Suite struct CrossfadeTests {
    private static let rate = 48_000

    /// Stereo noise of even power.
    private func noise(_ frames: Int, seed: UInt64) -> [Float] {
        var state = seed
        return (0..<2 * frames).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
        }
    }

    private func power(_ samples: ArraySlice<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }

    @Test(arguments: [1, 1_000, 8_191]) func soundsThatHaveNothingToDoWithEachOtherStayAsLoud(block: Int) {
        let frames = 12 * Self.rate
        let (ending, beginning) = (noise(frames, seed: 1), noise(frames, seed: 2))
        var fade = Crossfade(frameCount: frames)
        var mixed: [Float] = []
        while fade.remaining > 0 {
            let place = mixed.count
            let count = min(2 * block, 2 * fade.remaining)
            mixed += fade.mix(
                ending: Array(ending[place..<place + count]), beginning: Array(beginning[place..<place + count]))
        }
        #expect(mixed.count == 2 * frames)
        let expected = power(ending[...])
        for start in stride(from: 0, to: mixed.count, by: Self.rate * 2) {
            let level = 10 * log10(power(mixed[start..<min(start + Self.rate * 2, mixed.count)]) / expected)
            #expect(abs(level) < 0.2, "\(level) dB from frame \(start / 2)")
        }
    }

    @Test func theEndingIsHeardAloneAtFirstAndTheBeginningAtLast() {
        let frames = 1_000
        var fade = Crossfade(frameCount: frames)
        let ending = fade.mix(
            ending: [Float](repeating: 1, count: 2 * frames), beginning: [Float](repeating: 0, count: 2 * frames))
        fade = Crossfade(frameCount: frames)
        let beginning = fade.mix(
            ending: [Float](repeating: 0, count: 2 * frames), beginning: [Float](repeating: 1, count: 2 * frames))
        #expect(ending[0] == 1 && ending[1] == 1 && beginning[0] == 0 && beginning[1] == 0)
        #expect(
            abs(ending[1_000] - Float(0.5).squareRoot()) < 1e-6
                && abs(beginning[1_000] - Float(0.5).squareRoot()) < 1e-6)
        #expect(ending[1_998] < 0.002 && beginning[1_998] > 0.99999)
        for (falling, rising) in zip(ending, beginning) { #expect(abs(falling * falling + rising * rising - 1) < 1e-6) }
    }

    @Test func oneThatBeginsInItsMiddleGoesOnAsTheWholeDoes() {
        let (ending, beginning) = (noise(500, seed: 3), noise(500, seed: 4))
        var whole = Crossfade(frameCount: 500)
        var rest = Crossfade(frameCount: 500, from: 123)
        #expect(rest.remaining == 377)
        let mixed = whole.mix(ending: ending, beginning: beginning)
        #expect(
            Array(mixed[246...]) == rest.mix(ending: Array(ending[246...]), beginning: Array(beginning[246...])))
        #expect(whole.remaining == 0 && rest.remaining == 0)
        #expect(Crossfade(frameCount: 500, from: 700).remaining == 0)
    }
}
