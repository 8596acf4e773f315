import Testing
import TuttiChain
import TuttiEngine

@Suite("Edits while it runs")
struct EditTests {
    let engine: AudioEngine
    let first = PlayerNode(name: "first")
    let second = PlayerNode(name: "second")
    let low = sine(80, 60_000)
    let other = sine(130, 60_000, phase: 0)

    init() throws {
        engine = try offlineEngine()
        try engine.attach(first)
        try engine.attach(second)
        try engine.connect(first, to: engine.mainMixerNode)
        try first.scheduleBuffer(buffer([low, low]))
        try second.scheduleBuffer(buffer([other, other]))
        try engine.start()
        try first.play()
    }

    @Test("a second player comes in at its frame, exactly")
    func comesIn() throws {
        #expect(try engine.render(1_000)[0] == Array(low[0..<1_000]))
        try engine.connect(second, to: engine.mainMixerNode)
        try second.play()
        let output = try engine.render(1_000)
        let expected = (0..<1_000).map { low[1_000 + $0] + other[$0] }
        #expect(output == [expected, expected])
    }

    @Test("a player that is detached fades out in 5 ms, and the other stays as it is")
    func goes() throws {
        try engine.connect(second, to: engine.mainMixerNode)
        try second.play()
        var output = try engine.render(2_000)[0]
        try engine.detach(second)
        output += try engine.render(2_000)[0]
        #expect(sharpness(output) < 3 * (sharpness(low) + sharpness(other)))
        #expect(Array(output[2_240...]) == Array(low[2_240..<4_000]))
        for frame in [2_060, 2_120, 2_200] { #expect(output[frame] != low[frame]) }
        #expect(second.engine == nil)
    }

    @Test("an effect is put in and taken out without a click, and nothing is lost")
    func effect() throws {
        var output = try engine.render(2_000)[0]
        let matrix = try MatrixNode(ChannelMatrix([[0.5, 0], [0, 0.5]]))
        try engine.attach(matrix)
        try engine.connect(matrix, to: engine.mainMixerNode)
        try engine.connect(first, to: matrix)
        output += try engine.render(2_000)[0]
        #expect(Array(output[2_480..<4_000]) == low[2_480..<4_000].map { 0.5 * $0 })
        try engine.connect(first, to: engine.mainMixerNode)
        try engine.detach(matrix)
        output += try engine.render(2_000)[0]
        #expect(Array(output[4_480..<6_000]) == Array(low[4_480..<6_000]))
        #expect(sharpness(output) < 3 * sharpness(low))
    }

    @Test("behind a conversion it fades as well, and what stays the same is not touched")
    func otherRate() throws {
        let mixer = MixerNode()
        try engine.attach(mixer)
        try engine.connect(mixer, to: engine.mainMixerNode, format: EngineFormat(sampleRate: 96_000))
        try engine.connect(second, to: mixer, format: EngineFormat(sampleRate: 44_100))
        try second.play()
        var output = try engine.render(2_000)[0]
        try engine.connect(second, to: mixer)
        try engine.connect(mixer, to: engine.mainMixerNode)
        output += try engine.render(2_000)[0]
        let bound = sharpness(low) + 2 * sharpness(other)
        #expect(sharpness(output[1_000...]) < bound, "no fade")
        try engine.detach(second)
        output += try engine.render(2_000)[0]
        #expect(sharpness(output[1_000...]) < 3 * bound)
        #expect(zip(output[5_000...], low[5_000..<6_000]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("edits that follow each other within a fade all take effect")
    func quick() throws {
        try second.play(at: nil, unlessUnconnectedTo: engine)
        var output = try engine.render(500)[0]
        for _ in 0..<20 {
            try engine.connect(second, to: engine.mainMixerNode)
            output += try engine.render(50)[0]
            try engine.disconnectNodeOutput(second)
            output += try engine.render(50)[0]
        }
        output += try engine.render(2_000)[0]
        #expect(Array(output.suffix(1_000)) == Array(low[3_500..<4_500]))
        // What never sounded begins as it is, here with a sine's slope.
        #expect(sharpness(output) < other[1] + 3 * (sharpness(low) + sharpness(other)))
    }

    @Test("other settings of an effect are crossfaded to once they have settled")
    func settings() throws {
        let matrix = try MatrixNode(ChannelMatrix([[1, 0], [0, 1]]))
        try engine.attach(matrix)
        try engine.connect(matrix, to: engine.mainMixerNode)
        try engine.connect(first, to: matrix)
        _ = try engine.render(2_000)
        try matrix.setMatrix(ChannelMatrix([[0.25, 0], [0, 0.25]]))
        let output = try engine.render(4_000)[0]
        let (before, after) = (Array(low[2_000..<3_440]), low[4_400..<6_000].map { 0.25 * $0 })
        #expect(Array(output[..<1_440]) == before, "30 ms unheard")
        #expect(Array(output[2_400...]) == after, "20 ms of crossfade")
        #expect(sharpness(output) < 3 * sharpness(low))
        matrix.bypass = true
        let bypassed = try engine.render(4_000)[0]
        #expect(Array(bypassed[960...]) == Array(low[6_960..<10_000]))
        #expect(sharpness(bypassed) < 3 * sharpness(low))
        #expect(throws: AudioEngineError.self) { try matrix.setMatrix(.init([[1], [1]])) }
        #expect(matrix.bypass && matrix.matrix.gains[0][0] == 0.25)
    }

    @Test("a stop and a start keep what players have not played")
    func restart() throws {
        _ = try engine.render(1_000)
        engine.stop()
        try engine.start()
        #expect(engine.manualRenderingSampleTime == 0)
        #expect(try engine.render(1_000)[0] == Array(low[1_000..<2_000]))
        engine.stop()
        try engine.enableManualRendering(.offline, format: mono, maximumFrameCount: 100)
        try engine.start()
        #expect(try engine.render(1_000, by: [100])[0] == Array(low[2_000..<3_000]))
    }
}

extension PlayerNode {
    /// Plays though nothing is connected yet: it is for a moment.
    fileprivate func play(at time: Int64?, unlessUnconnectedTo engine: AudioEngine) throws {
        try engine.connect(self, to: engine.mainMixerNode)
        try play(at: time)
        try engine.disconnectNodeOutput(self)
    }
}
