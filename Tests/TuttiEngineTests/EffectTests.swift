import Glibc
import Testing
import TuttiChain
import TuttiEngine

@Suite("Effect nodes")
struct EffectTests {
    /// What comes out of a player through `nodes`, and how late the last one says it is.
    private func run(
        _ nodes: [EffectNode], _ samples: [[Float]], frames: Int, by sizes: [Int] = [480]
    ) throws -> (output: [[Float]], latency: Int) {
        let engine = try offlineEngine()
        let player = PlayerNode()
        try engine.attach(player)
        var before: AudioNode = player
        for node in nodes {
            try engine.attach(node)
            try engine.connect(before, to: node)
            before = node
        }
        try engine.connect(before, to: engine.mainMixerNode)
        try player.scheduleBuffer(buffer(samples))
        try engine.start()
        try player.play()
        let output = try engine.render(frames, by: sizes)
        #expect(player.latencyToOutput == nodes.reduce(0) { $0 + $1.latency })
        return (output, player.latencyToOutput)
    }

    @Test("an impulse response of one sample delays by its place")
    func convolution() throws {
        let impulse = try buffer([[0, 0, 0, 0.5]])
        let samples = [noise(5_000, seed: 1), noise(5_000, seed: 2)]
        for hasZeroLatency in [true, false] {
            let node = try ConvolutionNode(impulse: impulse, hasZeroLatency: hasZeroLatency)
            let (output, latency) = try run([node], samples, frames: 5_000)
            // The response's own delay counts.
            #expect(hasZeroLatency ? latency == 3 : latency >= 3)
            let error = (0..<4_000 - latency).map { abs(output[1][$0 + latency] - 0.5 * samples[1][$0]) }.max() ?? 1
            #expect(error < 1e-6)
        }
        #expect(throws: AudioEngineError.self) {
            try ConvolutionNode(impulse: PCMBuffer(format: stereo, frameCapacity: 4))
        }
    }

    @Test("all effects in a row give finite sound, the same in all calls")
    func all() throws {
        func nodes() throws -> [EffectNode] {
            [
                EQNode(bands: [EQBand(.peak, frequency: 1_000, gain: 6)]), CrossfeedNode(),
                CrossoverNode(Crossover(.high, frequency: 80)), DelayNode(Delay(time: 0.01, feedback: 30)),
                CompressorNode(), ReverbNode(.plate), try MatrixNode(.swapped),
                try ConvolutionNode(impulse: buffer([noise(3_000, seed: 9).map { 0.05 * $0 }])), LimiterNode(),
            ]
        }
        let samples = [noise(20_000, seed: 1), noise(20_000, seed: 2)]
        let expected = try run(nodes(), samples, frames: 24_000)
        #expect(expected.latency > 0)
        #expect(expected.output.allSatisfy { $0.allSatisfy(\.isFinite) && $0.contains { abs($0) > 0.01 } })
        for sizes in [[4_096], [777, 1, 64]] {
            #expect(try run(nodes(), samples, frames: 24_000, by: sizes).output == expected.output, "\(sizes)")
        }
    }

    @Test("settings that cannot work are refused, and the ones before stay")
    func refusals() throws {
        let engine = try offlineEngine(EngineFormat(sampleRate: 8_000))
        let (player, eq) = (PlayerNode(), EQNode(bands: [EQBand(.peak, frequency: 5_000)], name: "eq"))
        try engine.attach(player)
        try engine.attach(eq)
        try engine.connect(player, to: eq)
        try engine.connect(eq, to: engine.mainMixerNode)
        #expect(throws: AudioEngineError.self) { try engine.start() }
        try eq.setBands([EQBand(.peak, frequency: 500)])
        try engine.start()
        #expect(throws: AudioEngineError.self) { try eq.setBands([EQBand(.peak, frequency: 5_000)]) }
        #expect(eq.bands == [EQBand(.peak, frequency: 500)])
        #expect(throws: AudioEngineError.self) { try eq.setBands([]) }
        #expect(throws: AudioEngineError.self) {
            try engine.connect(player, to: eq, format: EngineFormat(sampleRate: 8_000, channelCount: 9))
        }
        #expect(try engine.render(100)[0].count == 100)
        #expect(try MatrixNode(.mono).matrix == .mono)
        #expect(throws: AudioEngineError.self) { try MatrixNode(ChannelMatrix([])) }
        #expect(throws: AudioEngineError.self) { try MatrixNode(ChannelMatrix([[.nan]])) }
    }

    @Test("a matrix takes and gives other numbers of channels")
    func matrix() throws {
        let engine = try offlineEngine()
        let player = PlayerNode()
        let node = try MatrixNode(ChannelMatrix([[1, 0, 0, 0.5], [0, 1, 0.25, 0]]))
        try engine.attach(player)
        try engine.attach(node)
        try engine.connect(player, to: node, format: EngineFormat(sampleRate: 48_000, channelCount: 4))
        try engine.connect(node, to: engine.mainMixerNode)
        let samples = (0..<4).map { noise(1_000, seed: UInt64($0)) }
        try player.scheduleBuffer(buffer(samples))
        try engine.start()
        try player.play()
        let output = try engine.render(1_000)
        for frame in 0..<1_000 {
            #expect(abs(output[0][frame] - samples[0][frame] - 0.5 * samples[3][frame]) < 1e-6)
            #expect(abs(output[1][frame] - samples[1][frame] - 0.25 * samples[2][frame]) < 1e-6)
        }
    }

    @Test("`reset` lets effects forget, and other settings change nothing that is over")
    func reset() throws {
        let engine = try offlineEngine()
        let (player, delay) = (PlayerNode(), DelayNode(Delay(time: 0.05, feedback: 90)))
        try engine.attach(player)
        try engine.attach(delay)
        try engine.connect(player, to: delay)
        try engine.connect(delay, to: engine.mainMixerNode)
        try player.scheduleBuffer(buffer([noise(480, seed: 1), noise(480, seed: 2)]))
        try engine.start()
        try player.play()
        #expect(try engine.render(10_000)[0].contains { abs($0) > 0.1 })
        engine.reset()
        #expect(try engine.render(10_000)[0].allSatisfy { $0 == 0 })
        for step in 0..<40 {
            try delay.set(Delay(time: 0.001 * Double(step)))
            _ = try engine.render(100)
        }
        #expect(try engine.render(10_000)[0].allSatisfy { $0 == 0 })
    }
}
