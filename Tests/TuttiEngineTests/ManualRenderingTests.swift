import Testing
import TuttiChain
import TuttiCore
import TuttiEngine

@Suite("Manual rendering")
struct ManualRenderingTests {
    @Test("a file through a reverb, half of it wet, to the end")
    func sample() throws {
        let file = MemoryFile([sine(440, 100_000), sine(660, 100_000)])
        let engine = AudioEngine()
        let (player, reverb) = (PlayerNode(), ReverbNode())
        try engine.attach(player)
        try engine.attach(reverb)
        reverb.wetDryMix = 50
        try engine.connect(player, to: reverb, format: file.format)
        try engine.connect(reverb, to: engine.mainMixerNode, format: file.format)
        try player.scheduleFile(file)
        try engine.enableManualRendering(.offline, format: file.format, maximumFrameCount: 4_096)
        try engine.start()
        try player.play()
        let buffer = try PCMBuffer(
            format: try #require(engine.manualRenderingFormat), frameCapacity: engine.manualRenderingMaximumFrameCount)
        var output: [Float] = []
        while engine.manualRenderingSampleTime < file.length {
            let left = file.length - engine.manualRenderingSampleTime
            switch try engine.renderOffline(min(Int(left), buffer.frameCapacity), to: buffer) {
            case .success: output += buffer.channel(0)
            default: Issue.record("not rendered")
            }
        }
        player.stop()
        engine.stop()
        #expect(output.count == 100_000)
        #expect(output.contains { abs($0) > 0.1 })
        #expect(!engine.isRunning)
    }

    @Test("sound passes bit for bit where nothing changes it")
    func exact() throws {
        let samples = [noise(20_000, seed: 1), noise(20_000, seed: 2)]
        let engine = try offlineEngine()
        let player = PlayerNode()
        try engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        try player.scheduleFile(MemoryFile(samples))
        try engine.start()
        try player.play()
        #expect(try engine.render(20_000) == samples)
        #expect(try engine.render(100).allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test("calls that cannot be done throw, and change nothing")
    func refusals() throws {
        let engine = AudioEngine()
        let small = try PCMBuffer(format: stereo, frameCapacity: 10)
        #expect(throws: AudioEngineError.noOutput) { try engine.start() }
        #expect(throws: AudioEngineError.notInManualMode(.offline)) { try engine.renderOffline(1, to: small) }
        #expect(throws: AudioEngineError.notInManualMode(.realtime)) { try engine.manualRenderingBlock }
        #expect(throws: AudioEngineError.invalidFormat(EngineFormat(sampleRate: 1))) {
            try engine.enableManualRendering(.offline, format: EngineFormat(sampleRate: 1), maximumFrameCount: 1)
        }
        #expect(throws: AudioEngineError.invalidFrameCount(0, maximum: 65_536)) {
            try engine.enableManualRendering(.offline, format: stereo, maximumFrameCount: 0)
        }
        try engine.enableManualRendering(.offline, format: stereo, maximumFrameCount: 512)
        #expect(throws: AudioEngineError.notRunning) { try engine.renderOffline(1, to: small) }
        try engine.start()
        #expect(throws: AudioEngineError.invalidFrameCount(0, maximum: 512)) { try engine.renderOffline(0, to: small) }
        #expect(throws: AudioEngineError.invalidFrameCount(513, maximum: 512)) {
            try engine.renderOffline(513, to: small)
        }
        #expect(throws: AudioEngineError.unsuitableBuffer(format: stereo, capacity: 11)) {
            try engine.renderOffline(11, to: small)
        }
        #expect(throws: AudioEngineError.running) { try engine.disableManualRendering() }
        #expect(try engine.renderOffline(10, to: small) == .success)
        engine.pause()
        #expect(throws: AudioEngineError.notRunning) { try engine.renderOffline(10, to: small) }
        try engine.start()
        #expect(try engine.renderOffline(10, to: small) == .success)
        #expect(engine.manualRenderingSampleTime == 20)
        engine.stop()
        try engine.disableManualRendering()
        #expect(!engine.isInManualRenderingMode)
    }

    @Test("a call from inside of a call is refused")
    func reentrance() throws {
        let engine = try offlineEngine()
        let buffer = try PCMBuffer(format: stereo, frameCapacity: 64)
        let log = Log()
        let source = SourceNode { [weak engine] _, frames, planes in
            for channel in 0..<planes.count { planes[channel].update(repeating: 0, count: frames) }
            let status = try? engine?.renderOffline(8, to: buffer)
            log.add("\(status == .cannotDoInCurrentContext)")
        }
        try engine.attach(source)
        try engine.connect(source, to: engine.mainMixerNode)
        try engine.mainMixerNode.installTap(bufferSize: 512) { [weak engine] _, _ in
            let status = try? engine?.renderOffline(8, to: buffer)
            log.add("\(status == .cannotDoInCurrentContext)")
        }
        try engine.start()
        _ = try engine.render(64, by: [64])
        #expect(log.all == ["true", "true"])
        engine.stop()
        try engine.detach(source)
    }

    @Test("a call for input that is not there renders nothing, and loses nothing")
    func input() throws {
        let engine = try offlineEngine()
        let samples = noise(1_000, seed: 7)
        let given = Recorder()
        let log = Log()
        try engine.inputNode.setManualRenderingInput(format: mono) { frames, planes in
            // Every second call gives half.
            log.add("\(frames)")
            let count = log.all.count % 2 == 0 ? frames : frames / 2
            let start = given.all.count
            for frame in 0..<count { planes[0][frame] = samples[start + frame] }
            given.add(Array(samples[start..<start + count]))
            return count
        }
        try engine.connect(engine.inputNode, to: engine.mainMixerNode)
        try engine.start()
        let buffer = try PCMBuffer(format: stereo, frameCapacity: 100)
        var output: [Float] = []
        for _ in 0..<10 {
            let time = engine.manualRenderingSampleTime
            #expect(try engine.renderOffline(100, to: buffer) == .insufficientDataFromInputNode)
            #expect(engine.manualRenderingSampleTime == time)
            #expect(try engine.renderOffline(100, to: buffer) == .success)
            output += buffer.channel(1)
        }
        #expect(output == samples)
        #expect(log.all.prefix(2) == ["100", "50"])
    }

    @Test("the same input gives the same bytes, however it is cut into calls")
    func determinism() throws {
        func run(_ sizes: [Int]) throws -> [[Float]] {
            let engine = try offlineEngine()
            let (first, second) = (PlayerNode(), PlayerNode())
            let (eq, mixer) = (EQNode(bands: [EQBand(.peak, frequency: 1_000, gain: 6)]), MixerNode())
            for node in [first, second, eq, mixer] { try engine.attach(node) }
            try engine.connect(first, to: eq, format: EngineFormat(sampleRate: 44_100))
            try engine.connect(eq, to: mixer)
            try engine.connect(second, to: mixer, format: EngineFormat(sampleRate: 96_000, channelCount: 1))
            try engine.connect(mixer, to: engine.mainMixerNode)
            try first.scheduleFile(MemoryFile([noise(30_000, seed: 1), noise(30_000, seed: 2)], sampleRate: 44_100))
            try first.scheduleFile(MemoryFile([noise(9_000, seed: 3)], sampleRate: 32_000), at: 31_234)
            try second.scheduleBuffer(buffer([noise(777, seed: 4)], rate: 96_000), options: .loops)
            try second.scheduleBuffer(
                buffer([noise(7_777, seed: 5)], rate: 96_000), at: 12_345, options: .interrupts)
            try engine.start()
            try first.play()
            try second.play()
            var output = try engine.render(10_000, by: sizes)
            func next(_ frames: Int) throws {
                let more = try engine.render(frames, by: sizes)
                for channel in output.indices { output[channel] += more[channel] }
            }
            try mixer.setPan(-0.4, onBus: 1)
            mixer.outputVolume = 0.5
            try eq.setBands([EQBand(.lowShelf, frequency: 200, gain: 6)])
            try next(100)
            try eq.setBands([EQBand(.lowShelf, frequency: 300, gain: 6)])
            #expect(throws: AudioEngineError.self) { try engine.connect(mixer, to: eq) }
            try engine.connect(first, to: mixer)
            try engine.disconnectNodeOutput(eq)
            try engine.connect(mixer, to: eq)
            try engine.connect(eq, to: engine.mainMixerNode)
            try next(50)
            try engine.detach(second)
            first.pause()
            try next(20_000)
            try first.play()
            try next(20_000)
            return output
        }
        let expected = try run([480])
        #expect(expected[0].count == 50_150)
        #expect(expected[0].contains { abs($0) > 0.1 })
        for sizes in [[4_096], [777], [1], [1, 4_096, 3, 64]] {
            let other = try run(sizes)
            let difference = expected[0].indices.first { frame in
                (0...1).contains { other[$0][frame].bitPattern != expected[$0][frame].bitPattern }
            }
            #expect(difference == nil, "\(sizes)")
        }
    }
}
