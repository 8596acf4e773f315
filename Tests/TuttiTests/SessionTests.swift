import Foundation
import TestSupport
import Testing
import Tutti

@Suite(.repeatedWhenDisturbed) struct SessionTests {
    @Test func hintsHoldBeforeAndFactsAfterActivation() async throws {
        let session = AudioSession(device: "null?bits=16&period=480")
        let events = session.events
        try session.setPreferredSampleRate(44_100)
        try session.setPreferredIOBufferDuration(.milliseconds(5))
        #expect(session.sampleRate == nil && session.ioBufferDuration == nil && !session.isActive)
        try session.activate()
        try session.activate()
        #expect(session.sampleRate == 44_100 && session.isActive)
        // The device has its own say.
        #expect(session.ioBufferDuration == .nanoseconds(480 * 1_000_000_000 / 44_100))
        #expect(session.outputLatency.map { $0 > .milliseconds(10) } == true)
        session.deactivate()
        #expect(session.sampleRate == nil)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .routeChanged(.activated))
        #expect(await iterator.next() == .deactivated)
    }

    @Test func hintsAreHeldInsideTheirLimits() throws {
        let session = AudioSession(device: "null")
        try session.setPreferredSampleRate(1)
        try session.setPreferredIOBufferDuration(.seconds(1_000))
        #expect(session.correctsDrift && !AudioSession(device: "null", correctsDrift: false).correctsDrift)
        #expect(session.preferredSampleRate == 8_000 && session.preferredIOBufferDuration == .seconds(1))
    }

    @Test func aMissingDeviceIsAnErrorAndTheSessionStaysInactive() {
        let session = AudioSession(device: "no-such-pcm")
        #expect(throws: PlaybackError.self) { try session.activate() }
        #expect(!session.isActive)
    }

    @Test func aDeviceThatGoesBeforeTheRendererOpensItIsReportedOnceAndComesBack() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let session = AudioSession(device: "file:\(folder.path)/a.wav")
        // Files are not touched before they are played to, so this one can be missing.
        try session.activate()
        let renderer = AudioRenderer(route: .local(session: session))
        var events = renderer.events.makeAsyncIterator()
        let synchronizer = RenderSynchronizer()
        try synchronizer.addRenderer(renderer)
        guard case .flushedAutomatically(_, .deviceLost)? = await events.next() else {
            Issue.record("nothing was said of the loss")
            return
        }
        #expect(renderer.status == .failed && renderer.error != nil && session.isInterrupted)
        try await Task.sleep(for: .milliseconds(1_500))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(await events.next() == .deviceReturned)
        #expect(renderer.status == .rendering && renderer.error == nil && !session.isInterrupted)
        synchronizer.removeRenderer(renderer)
    }

    /// A device that records what it plays: where, and how much of it is loud, in samples of two channels.
    private struct Recorder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString).wav").path

        var session: AudioSession { AudioSession(device: "file:\(path)?bits=32f&rate=48000") }

        func loudSamples() throws -> Int {
            try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(44).withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count - 3, by: 4).count {
                    abs(bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)) > 0.01
                }
            }
        }

        func remove() {
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: path + ".timing.json")
        }
    }

    /// A tone of 440 Hz.
    private func tone(_ frames: Range<Int>) throws -> SampleBuffer {
        let samples = frames.map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
        return try #require(
            SampleBuffer(
                interleaved: samples, channelCount: 1, sampleRate: 48_000, presentationTime: frame(frames.lowerBound)))
    }

    private func wait(_ synchronizer: RenderSynchronizer, until time: MediaTime) async throws {
        for _ in 0..<400 where synchronizer.currentTime < time { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// A recording of what a card would have played: the programme is there, whole and in place.
    @Test func aCardPlaysTheProgramme() async throws {
        let recorder = Recorder()
        defer { recorder.remove() }
        let renderer = AudioRenderer(route: .local(session: recorder.session))
        let synchronizer = RenderSynchronizer()
        try synchronizer.addRenderer(renderer)
        try renderer.enqueue(tone(0..<48_000))
        renderer.finishMediaData()
        try synchronizer.setRate(1, time: .zero)
        try await wait(synchronizer, until: milliseconds(1_100))
        synchronizer.removeRenderer(renderer)
        let loud = try recorder.loudSamples()
        // A second of two channels, less what lies near the crossings of zero.
        #expect((88_000...97_000).contains(loud), "\(loud) loud samples")
    }

    @Test func aCardPlaysAtAnotherRate() async throws {
        let recorder = Recorder()
        defer { recorder.remove() }
        let renderer = AudioRenderer(route: .local(session: recorder.session))
        let synchronizer = RenderSynchronizer()
        try synchronizer.addRenderer(renderer)
        for second in 0..<2 { try renderer.enqueue(tone(second * 48_000..<(second + 1) * 48_000)) }
        renderer.finishMediaData()
        try synchronizer.setRate(2, time: .zero)
        try await wait(synchronizer, until: milliseconds(2_200))
        synchronizer.removeRenderer(renderer)
        let loud = try recorder.loudSamples()
        #expect((88_000...97_000).contains(loud), "\(loud) loud samples")
    }
}
