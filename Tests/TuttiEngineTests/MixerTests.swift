import Glibc
import Testing
import TuttiEngine

@Suite("Mixer")
struct MixerTests {
    /// What a player's frames become with these settings, made before the start.
    private func mix(_ samples: [[Float]], volume: Float, pan: Float, output: Float = 1) throws -> [[Float]] {
        let engine = try offlineEngine()
        let player = PlayerNode()
        try engine.attach(player)
        try engine.connect(
            player, to: engine.mainMixerNode, format: EngineFormat(sampleRate: 48_000, channelCount: samples.count))
        try engine.mainMixerNode.setVolume(volume, onBus: 0)
        try engine.mainMixerNode.setPan(pan, onBus: 0)
        engine.mainMixerNode.outputVolume = output
        try player.scheduleBuffer(buffer(samples))
        try engine.start()
        try player.play()
        return try engine.render(samples[0].count)
    }

    @Test("volume and pan are what the law says", arguments: [-1, -0.5, 0, 0.3, 1] as [Float])
    func pans(pan: Float) throws {
        let samples = [noise(4_000, seed: 1), noise(4_000, seed: 2)]
        for input in [samples, [samples[0]]] {
            let output = try mix(input, volume: 0.7, pan: pan, output: 0.9)
            let angle = (Double(pan) + 1) * Double.pi / 4
            let gains = [0.63 * 2.0.squareRoot() * cos(angle), 0.63 * 2.0.squareRoot() * sin(angle)]
            #expect(abs(gains[0] * gains[0] + gains[1] * gains[1] - 2 * 0.63 * 0.63) < 1e-12, "equal power")
            for side in 0...1 {
                let source = input.count == 2 ? input[side] : input[0]
                let error = zip(output[side], source).map { abs(Double($0) - gains[side] * Double($1)) }.max() ?? 1
                #expect(error < 3e-7, "pan \(pan), side \(side): \(error)")
            }
        }
    }

    @Test("stereo becomes mono as the mean of both sides")
    func downmix() throws {
        let samples = [noise(1_000, seed: 1), noise(1_000, seed: 2)]
        let engine = try offlineEngine(mono)
        let player = PlayerNode()
        try engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode, format: stereo)
        try player.scheduleBuffer(buffer(samples))
        try engine.start()
        try player.play()
        #expect(try engine.render(1_000)[0] == zip(samples[0], samples[1]).map { 0.5 * ($0 + $1) })
    }

    @Test("changes of volume and pan take 10 ms and are smooth")
    func ramps() throws {
        let engine = try offlineEngine()
        let player = PlayerNode()
        try engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        let low = sine(100, 40_000)
        try player.scheduleBuffer(buffer([low, low]))
        try engine.start()
        try player.play()
        let mixer = engine.mainMixerNode
        var output = try engine.render(3_000)[0]
        try mixer.setVolume(0.1, onBus: 0)
        output += try engine.render(3_000)[0]
        try mixer.setPan(1, onBus: 0)
        output += try engine.render(3_000)[0]
        try mixer.setPan(0, onBus: 0)
        try mixer.setVolume(1, onBus: 0)
        mixer.outputVolume = 0.5
        output += try engine.render(3_000)[0]
        #expect(sharpness(output) < 3 * sharpness(low))
        #expect(Array(output[2_900..<3_000]) == Array(low[2_900..<3_000]))
        for frame in [3_480, 4_000, 5_999] { #expect(abs(output[frame] - 0.1 * low[frame]) < 1e-7) }
        for frame in [6_480, 8_999] { #expect(output[frame] == 0) }
        for frame in [9_480, 11_999] { #expect(abs(output[frame] - 0.5 * low[frame]) < 1e-7) }
    }

    @Test("settings outside their limits are refused")
    func limits() throws {
        let mixer = MixerNode()
        #expect(throws: AudioEngineError.outOfRange(name: "volume", value: 5, allowed: 0...4)) {
            try mixer.setVolume(5, onBus: 0)
        }
        #expect(throws: AudioEngineError.self) { try mixer.setVolume(.nan, onBus: 0) }
        #expect(throws: AudioEngineError.self) { try mixer.setPan(-1.1, onBus: 0) }
        #expect(throws: AudioEngineError.noSuchBus(node: "mixer", bus: 64)) { try mixer.setPan(0, onBus: 64) }
        mixer.outputVolume = .nan
        #expect(mixer.outputVolume == 1)
        mixer.outputVolume = .infinity
        #expect(mixer.outputVolume == 4)
    }
}
