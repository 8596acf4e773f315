import Testing
import TuttiLive

@Suite("Whether an input sounds")
struct LiveEarTests {
    private func sound(_ seconds: Double, _ level: Float) -> [Float] {
        (0..<Int(seconds * 48_000) * 2).map { $0 % 4 < 2 ? level : -level }
    }

    @Test("A tenth of a second of sound is heard; noise below the threshold, and clicks, are not")
    func hears() {
        var ear = LiveEar(threshold: -50, sampleRate: 48_000)
        var isHeard = ear.hears(sound(10, 0.002))
        for _ in 0..<20 { isHeard = ear.hears(sound(0.02, 0.5)) || ear.hears(sound(0.5, 0)) || isHeard }
        #expect(!isHeard)
        isHeard = ear.hears(sound(0.15, 0.01))
        #expect(isHeard)
    }

    @Test("Sound with short pauses adds up")
    func pauses() {
        var ear = LiveEar(threshold: -50, sampleRate: 48_000)
        var isHeard = false
        for _ in 0..<8 { isHeard = ear.hears(sound(0.02, 0.1)) || ear.hears(sound(0.2, 0)) || isHeard }
        #expect(isHeard)
    }

    @Test("Silence is counted from the last sample that sounds")
    func silence() {
        var silence = LiveSilence(threshold: -50, sampleRate: 48_000)
        silence.hear(sound(2, 0.001))
        #expect(silence.seconds == 2)
        silence.hear(silence: 48_000)
        #expect(silence.seconds == 3)
        silence.hear(sound(1, 0.1) + sound(0.5, 0))
        #expect(abs(silence.seconds - 0.5) < 0.001)
    }
}
