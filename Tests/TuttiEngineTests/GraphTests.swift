import Testing
import TuttiChain
import TuttiEngine

@Suite("Graph")
struct GraphTests {
    private func points(_ engine: AudioEngine, _ node: AudioNode) -> [String] {
        engine.outputConnectionPoints(for: node).map { "\($0.node.name) \($0.bus)" }
    }

    @Test("cycles are refused with the graph unchanged, stopped and running")
    func cycles() throws {
        let engine = try offlineEngine()
        let (a, b, source) = (MixerNode(name: "a"), MixerNode(name: "b"), SourceNode { _, _, _ in })
        for node in [a, b, source] { try engine.attach(node) }
        try engine.connect(source, to: a)
        try engine.connect(a, to: b)
        try engine.connect(b, to: engine.mainMixerNode)
        for _ in 0..<2 {
            #expect(throws: AudioEngineError.cycle(from: "b", to: "a")) { try engine.connect(b, to: a) }
            #expect(throws: AudioEngineError.cycle(from: "a", to: "a")) { try engine.connect(a, to: a) }
            #expect(throws: AudioEngineError.cycle(from: "b", to: "a")) {
                try engine.connect(b, to: [ConnectionPoint(engine.mainMixerNode, bus: 3), ConnectionPoint(a, bus: 9)])
            }
            #expect(points(engine, b) == ["main mixer 0"])
            #expect(points(engine, a) == ["b 0"])
            try engine.start()
        }
        #expect(try engine.render(100)[0].count == 100)
    }

    @Test("nodes of other engines, buses that are not there and too much are refused")
    func refusals() throws {
        let (engine, other) = (try offlineEngine(), try offlineEngine())
        let (player, stranger) = (PlayerNode(), MixerNode(name: "stranger"))
        try engine.attach(player)
        try other.attach(stranger)
        #expect(throws: AudioEngineError.notAttached(node: "stranger")) { try engine.connect(player, to: stranger) }
        #expect(throws: AudioEngineError.notAttached(node: "stranger")) { try engine.detach(stranger) }
        #expect(throws: AudioEngineError.alreadyAttached(node: "stranger")) { try engine.attach(stranger) }
        #expect(throws: AudioEngineError.permanentNode(node: "main mixer")) { try engine.detach(engine.mainMixerNode) }
        #expect(throws: AudioEngineError.noSuchBus(node: "main mixer", bus: 64)) {
            try engine.connect(player, to: engine.mainMixerNode, fromBus: 0, toBus: 64)
        }
        #expect(throws: AudioEngineError.noSuchBus(node: "player", bus: 1)) {
            try engine.connect(player, to: engine.mainMixerNode, fromBus: 1, toBus: 0)
        }
        #expect(throws: AudioEngineError.noSuchBus(node: "player", bus: 0)) {
            try engine.connect(engine.mainMixerNode, to: player)
        }
        #expect(throws: AudioEngineError.unconnected(node: "player")) { try player.play() }
        #expect(throws: AudioEngineError.invalidFormat(EngineFormat(sampleRate: 48_000, channelCount: 9))) {
            try engine.connect(
                player, to: engine.mainMixerNode, format: EngineFormat(sampleRate: 48_000, channelCount: 9))
        }
        let six = EngineFormat(sampleRate: 48_000, channelCount: 6)
        #expect(throws: AudioEngineError.formatMismatch(source: six, destination: stereo)) {
            try engine.connect(player, to: engine.mainMixerNode, format: six)
        }
        for _ in 0..<252 { try engine.attach(MixerNode()) }
        #expect(throws: AudioEngineError.tooManyNodes(maximum: 256)) { try engine.attach(MixerNode()) }
        #expect(engine.attachedNodes.count == 256)
    }

    @Test("a mixer takes 64 inputs and no more")
    func inputs() throws {
        let engine = try offlineEngine()
        for _ in 0..<64 {
            let source = SourceNode { _, frames, planes in
                for channel in 0..<planes.count { planes[channel].update(repeating: 0.01, count: frames) }
            }
            try engine.attach(source)
            try engine.connect(source, to: engine.mainMixerNode)
        }
        #expect(engine.mainMixerNode.nextAvailableInputBus == nil)
        let last = SourceNode { _, _, _ in }
        try engine.attach(last)
        #expect(throws: AudioEngineError.noSuchBus(node: "main mixer", bus: 64)) {
            try engine.connect(last, to: engine.mainMixerNode)
        }
        try engine.start()
        let output = try engine.render(10)
        #expect(output[0].allSatisfy { abs($0 - 0.64) < 1e-6 })
    }

    @Test("an effect without input does not start; silence comes in when it loses it")
    func unconnected() throws {
        let engine = try offlineEngine()
        let (eq, source) = (
            EQNode(bands: [EQBand(.peak, frequency: 100)], name: "eq"),
            SourceNode { _, frames, planes in
                for channel in 0..<planes.count { planes[channel].update(repeating: 0.5, count: frames) }
            }
        )
        try engine.attach(eq)
        try engine.attach(source)
        try engine.connect(eq, to: engine.mainMixerNode)
        #expect(throws: AudioEngineError.unconnected(node: "eq")) { try engine.start() }
        #expect(!engine.isRunning)
        try engine.connect(source, to: eq)
        try engine.start()
        #expect(try engine.render(1_000)[0].last.map { abs($0 - 0.5) < 0.01 } == true)
        try engine.disconnectNodeInput(eq)
        #expect(try engine.render(10_000)[0].last.map { abs($0) < 0.01 } == true)
    }

    @Test("one output feeds several inputs; two rates of it are refused")
    func fanOut() throws {
        let engine = try offlineEngine()
        let (low, high) = (
            try MatrixNode(ChannelMatrix([[1, 0], [0, 0]])), try MatrixNode(ChannelMatrix([[0, 0], [0, 1]]))
        )
        let player = PlayerNode()
        for node in [low, high, player] { try engine.attach(node) }
        try engine.connect(player, to: [ConnectionPoint(low), ConnectionPoint(high)])
        try engine.connect(low, to: engine.mainMixerNode)
        try engine.connect(high, to: engine.mainMixerNode)
        let samples = [noise(5_000, seed: 1), noise(5_000, seed: 2)]
        try player.scheduleBuffer(buffer(samples))
        try engine.start()
        try player.play()
        #expect(try engine.render(5_000) == samples)
        #expect(throws: AudioEngineError.fanOutAcrossRates(node: "player")) {
            try engine.connect(high, to: engine.mainMixerNode, format: EngineFormat(sampleRate: 44_100))
        }
        #expect(points(engine, high) == ["main mixer 1"])
        #expect(try engine.render(100)[0].count == 100)
    }

    @Test("a sink gets what is connected to it, whether or not it is heard")
    func sink() throws {
        let engine = try offlineEngine()
        let recorder = Recorder()
        let sink = SinkNode(channelCount: 1) { _, frames, planes in
            recorder.add(Array(UnsafeBufferPointer(start: planes[0], count: frames)))
        }
        let player = PlayerNode()
        try engine.attach(sink)
        try engine.attach(player)
        try engine.connect(player, to: sink, format: mono)
        let samples = noise(1_000, seed: 3)
        try player.scheduleBuffer(buffer([samples]))
        try engine.start()
        try player.play()
        #expect(try engine.render(1_000)[0].allSatisfy { $0 == 0 })
        #expect(recorder.all == samples)
    }

    @Test("taps get all frames with their times")
    func taps() throws {
        let engine = try offlineEngine()
        let player = PlayerNode()
        try engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        let samples = [noise(3_000, seed: 1), noise(3_000, seed: 2)]
        try player.scheduleBuffer(buffer(samples))
        try engine.start()
        try player.play()
        _ = try engine.render(1_000)
        let (recorder, log) = (Recorder(), Log())
        try player.installTap(bufferSize: 400) { buffer, time in
            recorder.add(Array(buffer.channel(1)))
            log.add("\(time.sampleTime) \(buffer.frameLength)")
        }
        #expect(throws: AudioEngineError.tapExists(node: "player")) { try player.installTap(bufferSize: 1) { _, _ in } }
        _ = try engine.render(1_000, by: [500])
        player.removeTap()
        _ = try engine.render(1_000)
        #expect(recorder.all == Array(samples[1][1_000..<2_000]))
        #expect(log.all == ["1000 400", "1400 100", "1500 400", "1900 100"])
        #expect(player.lastRenderTime == AudioTime(sampleTime: 3_000, sampleRate: 48_000))
    }

    @Test("what is not a number becomes silence, and is counted")
    func nonFinite() throws {
        let engine = try offlineEngine()
        let source = SourceNode { _, frames, planes in
            for channel in 0..<planes.count { planes[channel].update(repeating: 0.25, count: frames) }
            planes[0][3] = .nan
            planes[1][5] = -.infinity
        }
        try engine.attach(source)
        try engine.connect(source, to: engine.mainMixerNode)
        try engine.start()
        let output = try engine.render(100, by: [100])
        #expect(output[0][3] == 0 && output[1][5] == 0)
        #expect(output[0][4] == 0.25 && output[1][3] == 0.25)
        #expect(engine.nonFiniteSampleCount == 2)
    }
}
