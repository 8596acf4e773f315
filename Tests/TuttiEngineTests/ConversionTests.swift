import Glibc
import Testing
import TuttiEngine

@Suite("Conversion")
struct ConversionTests {
    /// What is left of `samples` without the best sine of this frequency, in dB of that sine. In 64 bits.
    private func residue(_ samples: ArraySlice<Float>, _ frequency: Double, rate: Double) -> Double {
        let step = 2 * Double.pi * frequency / rate
        // The normal equations of a sine and a cosine.
        var (ss, sc, cc, ys, yc) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let (s, c, y) = (sin(step * Double(index)), cos(step * Double(index)), Double(sample))
            (ss, sc, cc) = (ss + s * s, sc + s * c, cc + c * c)
            (ys, yc) = (ys + y * s, yc + y * c)
        }
        let a = ss * cc - sc * sc
        let (p, q) = ((ys * cc - yc * sc) / a, (yc * ss - ys * sc) / a)
        var (signal, rest) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let fit = p * sin(step * Double(index)) + q * cos(step * Double(index))
            signal += fit * fit
            rest += (Double(sample) - fit) * (Double(sample) - fit)
        }
        return 10 * log10(rest / signal)
    }

    @Test("44.1 kHz becomes 48 kHz with noise and distortion below −110 dB", arguments: [997.0, 10_007, 19_001])
    func quality(frequency: Double) throws {
        for (from, to) in [(44_100, 48_000), (48_000, 44_100), (96_000, 48_000)] {
            let output = EngineFormat(sampleRate: to)
            let engine = try offlineEngine(output)
            let player = PlayerNode()
            try engine.attach(player)
            let level = 0.9
            let samples = sine(frequency, 2 * from, rate: Double(from), level: level)
            try engine.connect(
                player, to: engine.mainMixerNode, format: EngineFormat(sampleRate: from, channelCount: 1))
            try player.scheduleBuffer(buffer([samples], rate: from))
            try engine.start()
            try player.play()
            let rendered = try engine.render(to, by: [480, 777, 4_096])
            let result = residue(rendered[0][2_000...], frequency, rate: Double(to))
            #expect(result < -130, "\(from) Hz to \(to) Hz")
            #expect(rendered[0] == rendered[1])
        }
    }

    @Test("the delay of a conversion is whole frames, as many as its latency says")
    func delay() throws {
        let engine = try offlineEngine(EngineFormat(sampleRate: 48_000, channelCount: 1))
        let player = PlayerNode()
        try engine.attach(player)
        let format = EngineFormat(sampleRate: 44_100, channelCount: 1)
        try engine.connect(player, to: engine.mainMixerNode, format: format)
        try player.scheduleBuffer(buffer([sine(997, 44_100, rate: 44_100)], rate: 44_100))
        try engine.start()
        try player.play()
        let rendered = try engine.render(40_000, by: [480])[0]
        let late = player.latencyToOutput
        let expected = sine(997, 40_000)
        let error = (1_000..<39_000).map { abs(rendered[$0 + late] - expected[$0]) }.max() ?? 1
        #expect(late > 40 && late < 80)
        #expect(error < 1e-5)
    }

    @Test("chains of conversions and six channels go through")
    func chains() throws {
        let six = EngineFormat(sampleRate: 48_000, channelCount: 6)
        let engine = try offlineEngine(six)
        let (player, mixer) = (PlayerNode(), MixerNode())
        try engine.attach(player)
        try engine.attach(mixer)
        try engine.connect(mixer, to: engine.mainMixerNode, format: EngineFormat(sampleRate: 96_000, channelCount: 6))
        try engine.connect(player, to: mixer, format: EngineFormat(sampleRate: 44_100, channelCount: 6))
        let channels = (0..<6).map { sine(200 + 100 * Double($0), 44_100, rate: 44_100) }
        try player.scheduleBuffer(buffer(channels, rate: 44_100))
        try engine.start()
        try player.play()
        let rendered = try engine.render(40_000, by: [1, 100, 4_096])
        let late = player.latencyToOutput
        for channel in 0..<6 {
            // Behind an odd number of frames of 96 kHz there is half a frame more or less.
            let frequency = 200 + 100 * Double(channel)
            let errors = [-0.5, 0, 0.5].map { offset in
                let expected = sine(frequency, 40_000, phase: 2 * .pi * frequency * offset / 48_000)
                return (1_000..<39_000).map { abs(rendered[channel][$0 + late] - expected[$0]) }.max() ?? 1
            }
            #expect(errors.contains { $0 < 2e-5 })
        }
    }
}
