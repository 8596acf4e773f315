import Foundation
import Testing
import Tutti

@Suite struct SessionTests {
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
        #expect(session.routeSharingPolicy == .longForm)
        #expect(AudioSession(device: "null", routeSharingPolicy: .default).routeSharingPolicy == .default)
        #expect(session.preferredSampleRate == 8_000 && session.preferredIOBufferDuration == .seconds(1))
    }

    @Test func aMissingDeviceIsAnErrorAndTheSessionStaysInactive() {
        let session = AudioSession(device: "no-such-pcm")
        #expect(throws: PlaybackError.self) { try session.activate() }
        #expect(!session.isActive)
    }

    /// A recording of what a card would have played: the programme is there, whole and in place.
    @Test func aCardPlaysTheProgramme() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString).wav").path
        defer {
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: path + ".timing.json")
        }
        let session = AudioSession(device: "file:\(path)?bits=32f&rate=48000")
        let renderer = AudioRenderer(route: .local(session: session))
        let synchronizer = RenderSynchronizer()
        try synchronizer.addRenderer(renderer)
        let samples = (0..<48_000).map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
        let buffer = SampleBuffer(interleaved: samples, channelCount: 1, sampleRate: 48_000, presentationTime: .zero)
        try renderer.enqueue(#require(buffer))
        renderer.finishMediaData()
        try synchronizer.setRate(1, time: .zero)
        for _ in 0..<400 where synchronizer.currentTime < milliseconds(1_100) {
            try await Task.sleep(for: .milliseconds(10))
        }
        synchronizer.removeRenderer(renderer)
        let data = try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(44)
        let loud = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 3, by: 4).count {
                abs(bytes.loadUnaligned(fromByteOffset: $0, as: Float.self)) > 0.01
            }
        }
        // A second of two channels, less what lies near the crossings of zero.
        #expect((88_000...97_000).contains(loud), "\(loud) loud samples")
    }
}
