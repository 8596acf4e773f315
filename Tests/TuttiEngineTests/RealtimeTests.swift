import Glibc
import Synchronization
import Testing
import TuttiEffects
import TuttiEngine

/// A card that pulls when a test says so.
private final class TestOutput: EngineOutput, @unchecked Sendable {
    struct Busy: Error {}

    let format = EngineFormat(sampleRate: 48_000)
    let maximumFrameCount = 256
    let latency = 100
    let isBusy: Bool
    private let pull = Mutex<(@Sendable (Int, Planes) -> Void)?>(nil)

    init(isBusy: Bool = false) { self.isBusy = isBusy }

    func start(pull: @escaping @Sendable (Int, Planes) -> Void) throws {
        if isBusy { throw Busy() }
        self.pull.withLock { $0 = pull }
    }

    func stop() { pull.withLock { $0 = nil } }

    func render(_ frames: Int) throws -> [Float]? {
        guard let pull = pull.withLock({ $0 }) else { return nil }
        let buffer = try PCMBuffer(format: format, frameCapacity: frames)
        buffer.frameLength = frames
        pull(frames, buffer.planes)
        return Array(buffer.channel(0))
    }
}

private final class Flags: Sendable {
    let isOver = Atomic<Bool>(false)
    let bad = Atomic<Int>(0)
}

@Suite("Real time")
struct RealtimeTests {
    @Test("an output pulls, files are read ahead, and handlers are called on the engine's thread")
    func output() throws {
        let output = TestOutput()
        let engine = AudioEngine(output: output)
        let player = PlayerNode()
        let log = Log()
        let samples = noise(20_000, seed: 1)
        try engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        let recorder = Recorder()
        try player.installTap(bufferSize: 512) { buffer, _ in recorder.add(Array(buffer.channel(0))) }
        try player.scheduleFile(
            MemoryFile([samples, samples]), completionCallbackType: .dataPlayedBack
        ) { log.add("\($0)") }
        try engine.start()
        try player.play()
        // The reader needs a moment.
        usleep(100_000)
        var rendered: [Float] = []
        while rendered.count < 20_000 {
            rendered += try #require(try output.render(200))
            usleep(1_000)
        }
        #expect(rendered == samples)
        #expect(log.all.isEmpty, "not before the card's 100 frames")
        _ = try output.render(200)
        for _ in 0..<500 where log.all.isEmpty { usleep(10_000) }
        #expect(log.all == ["dataPlayedBack"])
        engine.pause()
        #expect(try output.render(10) == nil)
        try engine.start()
        #expect(try output.render(10) != nil)
        engine.stop()
        #expect(recorder.all.prefix(20_000) == samples[...])
    }

    @Test("an output that cannot start leaves the engine stopped")
    func busy() {
        let engine = AudioEngine(output: TestOutput(isBusy: true))
        #expect(throws: AudioEngineError.outputFailed("Busy()")) { try engine.start() }
        #expect(!engine.isRunning)
    }

    @Test("threads may edit, set and schedule while another renders")
    func threads() async throws {
        let engine = AudioEngine()
        try engine.enableManualRendering(.realtime, format: stereo, maximumFrameCount: 128)
        let players = (0..<4).map { PlayerNode(name: "\($0)") }
        for player in players { try engine.attach(player) }
        try engine.connect(players[0], to: engine.mainMixerNode)
        try engine.start()
        let block = try engine.manualRenderingBlock
        let flags = Flags()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let buffer = try PCMBuffer(format: stereo, frameCapacity: 128)
                while !flags.isOver.load(ordering: .relaxed) {
                    if block(128, buffer) == .success, !buffer.channel(0).allSatisfy({ abs($0) < 10 }) {
                        flags.bad.add(1, ordering: .relaxed)
                    }
                }
            }
            group.addTask {
                defer { flags.isOver.store(true, ordering: .relaxed) }
                for round in 0..<300 {
                    let player = players[round % 4]
                    try engine.connect(player, to: engine.mainMixerNode)
                    try player.scheduleBuffer(buffer([noise(100, seed: 1), noise(100, seed: 2)]))
                    try player.play()
                    engine.mainMixerNode.outputVolume = Float(round % 10) / 10
                    if round % 3 == 0 { player.stop() }
                    if round % 5 == 0 { try engine.disconnectNodeOutput(players[(round + 1) % 4]) }
                    if round % 7 == 0 { usleep(2_000) }
                }
            }
            try await group.waitForAll()
        }
        #expect(flags.bad.load(ordering: .relaxed) == 0)
        engine.stop()
    }
}
