import Foundation
import Logging
import Synchronization
import Testing
import Tutti
import TuttiHost
import TuttiSpeaker

/// Renderers and the audio graph together.
@Suite struct EngineTests {
    @Test func rendererAndFileShareAnEngine() throws {
        let studio = try Studio()
        let material = Material()
        try studio.renderer.enqueue(material.buffer(0..<96_000))
        let engine = studio.output.engine
        let equalizer = EQNode(bands: [EQBand(.peak, frequency: 1_000, gain: 0)])
        try engine.attach(equalizer)
        try engine.disconnectNodeOutput(studio.output.rendererNode)
        try engine.connect(studio.output.rendererNode, to: equalizer)
        try engine.connect(equalizer, to: engine.mainMixerNode)
        _ = try studio.render(4_800)
        try studio.synchronizer.setRate(1, time: .zero)
        let sound = try studio.render(48_000)
        // A filter of 0 dB leaves sound as it is but for the last bit.
        #expect(sound.indices.allSatisfy { abs(sound[$0] - material.sample($0)) < 1e-6 })
    }

    @Test func statusesAndErrorsAreTheEngines() throws {
        let output = try OfflineOutput()
        let format = EngineFormat(sampleRate: 48_000)
        let buffer = try PCMBuffer(format: format, frameCapacity: 4_096)
        #expect(try output.renderOffline(4_096, to: buffer) == .success)
        #expect(output.sampleTime == 4_096 && buffer.frameLength == 4_096)
        #expect(throws: AudioEngineError.self) { try output.renderOffline(4_097, to: buffer) }
        #expect(throws: AudioEngineError.self) { try output.renderOffline(0, to: buffer) }
        output.engine.stop()
        #expect(throws: PlaybackError.self) { try output.render(480) }
    }

    /// A limiter is 3.6 ms late, and leaves soft sound alone: what comes out is what was enqueued, at its frame.
    @Test func anEngineBeforeARouteIsMadeUpFor() throws {
        let output = try OfflineOutput()
        let engine = AudioEngine()
        let limiter = LimiterNode()
        try engine.attach(limiter)
        try engine.connect(engine.inputNode, to: limiter, format: EngineFormat(sampleRate: 48_000))
        try engine.connect(limiter, to: engine.mainMixerNode, format: EngineFormat(sampleRate: 48_000))
        let renderer = AudioRenderer(route: output.route.through(engine))
        let synchronizer = RenderSynchronizer(clock: output.clock)
        try synchronizer.addRenderer(renderer)
        renderer.volume = 1
        let samples = (0..<48_000).map { Float(0.1 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
        let format = try #require(AudioFormat(codec: .float32, sampleRate: 48_000, channelCount: 2, bitDepth: 32))
        let data = samples.flatMap { sample in
            (0..<2).flatMap { _ in withUnsafeBytes(of: sample) { Array($0) } }
        }
        let buffer = try #require(
            SampleBuffer(format: format, presentationTime: .zero, frameCount: samples.count, data: data))
        try renderer.enqueue(buffer)
        _ = try output.render(9_600)
        try synchronizer.setRate(1, time: .zero, atHostTime: output.hostTime(ofFrame: 19_200))
        let block = try output.render(9_600 + 40_000)
        let left = stride(from: 0, to: block.samples.count, by: 2).map { block.samples[$0] }
        #expect(left[..<9_600].allSatisfy { $0 == 0 })
        #expect((0..<40_000).allSatisfy { abs(left[9_600 + $0] - samples[$0]) < 1e-6 })
    }

    /// A route that plays far from here, with a limiter before it, which is 3.6 ms late and leaves soft sound alone.
    private struct Distant {
        let studio: Studio
        let port = FakePort(flushesSucceed: true)
        let engine = AudioEngine()

        init() throws {
            studio = try Studio()
            let limiter = LimiterNode()
            try engine.attach(limiter)
            try engine.connect(engine.inputNode, to: limiter)
            try engine.connect(limiter, to: engine.mainMixerNode)
            let route = port.route(clock: studio.output.clock) { _ in }.through(engine)
            try studio.renderer.setRoute(route)
        }

        func enqueue(_ frames: Range<Int>, level: Float) throws {
            let samples = frames.flatMap { frame -> [Float] in
                let sample = Distant.sample(frame, level)
                return [sample, -sample]
            }
            try studio.renderer.enqueue(
                try #require(
                    SampleBuffer(
                        interleaved: samples, channelCount: 2, sampleRate: 48_000,
                        presentationTime: MediaTime(frame: Int64(frames.lowerBound), sampleRate: 48_000))))
            _ = try studio.render(480)
        }

        static func sample(_ frame: Int, _ level: Float) -> Float {
            level * Float(sin(2 * .pi * 440 * Double(frame) / 48_000))
        }

        /// Nothing follows: gives all that the port has then.
        func finish() throws -> [Int: (Float, Float)] {
            studio.renderer.finishMediaData()
            _ = try studio.render(480)
            return try sound()
        }

        /// What the port has by now, by frame: what was inserted later counts.
        func sound() throws -> [Int: (Float, Float)] {
            var sound: [Int: (Float, Float)] = [:]
            for buffer in port.told.withLock({ $0.buffers }) {
                try #require(buffer.format.codec == .float32)
                let start = Int(buffer.presentationTime.frame(at: 48_000))
                let samples = buffer.data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
                for frame in 0..<buffer.frameCount {
                    sound[start + frame] = (samples[2 * frame], samples[2 * frame + 1])
                }
            }
            return sound
        }
    }

    /// Whether it is what was enqueued, whose level may depend on the frame.
    private func isEnqueued(_ sound: [Int: (Float, Float)], level: (Int) -> Float) -> Bool {
        sound.allSatisfy { frame, samples in
            let sample = Distant.sample(frame, level(frame))
            return abs(samples.0 - sample) < 1e-6 && abs(samples.1 + sample) < 1e-6
        }
    }

    @Test func whatGoesToRoomsPassesTheEngineFrameForFrame() throws {
        let distant = try Distant()
        for second in 0..<3 { try distant.enqueue(second * 48_000..<(second + 1) * 48_000, level: 0.1) }
        // What the limiter holds back comes with the end.
        #expect(try distant.sound().count < 3 * 48_000)
        let sound = try distant.finish()
        #expect(sound.count == 3 * 48_000 && isEnqueued(sound) { _ in 0.1 })
    }

    @Test func editsOfWhatGoesToRoomsPassTheEngineToo() async throws {
        let distant = try Distant()
        for second in 0..<3 { try distant.enqueue(second * 48_000..<(second + 1) * 48_000, level: 0.1) }
        #expect(await distant.studio.renderer.flush(fromSourceTime: MediaTime(frame: 2, sampleRate: 1)))
        try distant.enqueue(96_000..<192_000, level: 0.05)
        let sound = try distant.finish()
        #expect(sound.count == 4 * 48_000 && isEnqueued(sound) { $0 < 96_000 ? 0.1 : 0.05 })
    }

    @Test func anEngineStandsBeforeRooms() throws {
        let room = RoomEndpoint(name: "kitchen", host: "127.0.0.1", port: 9)
        let route = PlaybackRoute.rooms([room], speaksInTheClear: true).through(AudioEngine())
        let port = try route.open { _ in }
        #expect(port.engine != nil)
        port.close()
    }

    /// The engine exchanges the sides; a room's recording has the sound on the other one.
    @Test func aRoomPlaysWhatTheEngineMade() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engine-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let recording = folder + "/kitchen.wav"
        let speaker = try await SpeakerService(
            configuration: SpeakerConfiguration(
                name: "kitchen", device: "file:\(recording)?bits=32f", port: 0, bindAddress: "127.0.0.1",
                stateDirectory: folder + "/speaker", announces: false),
            clock: HostClock(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let engine = AudioEngine()
        let sides = try MatrixNode(.swapped)
        try engine.attach(sides)
        try engine.connect(engine.inputNode, to: sides)
        try engine.connect(sides, to: engine.mainMixerNode)
        let kitchen = RoomEndpoint(name: "kitchen", host: "127.0.0.1", port: speaker.port)
        let renderer = AudioRenderer(route: .rooms([kitchen], stateDirectory: folder + "/sender").through(engine))
        let synchronizer = RenderSynchronizer()
        try synchronizer.addRenderer(renderer)
        let samples = (0..<96_000).flatMap { [Distant.sample($0, 0.1), 0] }
        try renderer.enqueue(
            try #require(
                SampleBuffer(interleaved: samples, channelCount: 2, sampleRate: 48_000, presentationTime: .zero)))
        renderer.finishMediaData()
        try synchronizer.setRate(1, time: .zero)
        for _ in 0..<1_500 where synchronizer.currentTime < MediaTime(frame: 1, sampleRate: 1) {
            try await Task.sleep(for: .milliseconds(10))
        }
        synchronizer.removeRenderer(renderer)
        await speaker.shutdown()
        let file = try AudioFile(forReading: recording)
        var loudest: [Float] = [0, 0]
        while true {
            let block = try file.read(frameCount: 48_000)
            guard block.frameCount > 0 else { break }
            for (index, sample) in block.samples.enumerated() {
                loudest[index % 2] = max(loudest[index % 2], abs(sample))
            }
        }
        #expect(loudest[0] < 0.001 && loudest[1] > 0.02)
    }

    @Test func anEngineOfACardPlays() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("engine-\(UUID()).wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let engine = try AudioEngine(session: AudioSession(device: "file:\(path)"))
        let source = SourceNode(format: EngineFormat(sampleRate: 48_000)) { time, frames, planes in
            for frame in 0..<frames {
                let value = Float(0.25 * sin(2 * .pi * 480 * Double(time.sampleTime + Int64(frame)) / 48_000))
                (planes[0][frame], planes[1][frame]) = (value, value)
            }
        }
        try engine.attach(source)
        try engine.connect(source, to: engine.mainMixerNode)
        try engine.start()
        try await Task.sleep(for: .milliseconds(600))
        engine.stop()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.count > 20_000 && bytes.dropFirst(100).contains { $0 != 0 })
    }

    @Test func anEngineOfACardThatIsNotThereSaysSo() {
        #expect(throws: PlaybackError.self) { try AudioEngine(session: AudioSession(device: "nothing:1")) }
    }

    /// The listing of docs/engine.md: half of a file's sound is dry, in its place; then there is reverberation.
    @Test func theListingRenders() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engine-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let settings = AudioFileSettings(.wav, sampleRate: 48_000)
        let source = try AudioFileWriter(forWriting: folder + "/rhythm.wav", settings: settings)
        var samples = [Float](repeating: 0, count: 2 * 48_000)
        (samples[2_000], samples[2_001]) = (0.5, 0.5)
        try source.write(PCMBlock(samples: samples, channelCount: 2, sampleRate: 48_000))
        try source.close()
        for name in ["one", "two"] { try EngineListings.render(folder + "/rhythm.wav", to: "\(folder)/\(name).wav") }
        let result = try AudioFile(forReading: folder + "/one.wav")
        #expect(result.length == 48_000)
        var sound: [Float] = []
        while sound.count < 96_000 {
            let block = try result.read(frameCount: 48_000)
            try #require(block.frameCount > 0)
            sound += block.samples
        }
        #expect(sound.count == 96_000 && abs(sound[2_000] - 0.25) < 0.001)
        #expect(sound[..<2_000].allSatisfy { abs($0) < 1e-4 })
        #expect(sound[20_000...].contains { abs($0) > 1e-4 })
        let (one, two) = (try Data(contentsOf: URL(fileURLWithPath: folder + "/one.wav")), "/two.wav")
        #expect(try one == Data(contentsOf: URL(fileURLWithPath: folder + two)))
    }

    @Test func theDocumentShowsWhatIsTested() throws {
        let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let source = try String(contentsOf: folder.appendingPathComponent("EngineListings.swift"), encoding: .utf8)
        let document = try String(
            contentsOf: folder.appendingPathComponent("../../docs/engine.md").standardizedFileURL, encoding: .utf8)
        func lines(_ text: some StringProtocol) -> String {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                .joined(separator: "\n")
        }
        let blocks = document.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(!blocks.isEmpty && blocks.allSatisfy { lines(source).contains(lines($0)) })
    }
}
