import Testing
import TuttiCore
import TuttiHost
import TuttiOutput

@Suite struct OutputSessionTests {
    @Test func hintsHoldUntilActivationAndFactsAfter() async throws {
        let session = OutputSession(request: OutputRequest(device: "null?bits=16"), clock: HostClock())
        try session.setPreferred { $0.preferredSampleRate = 44_100 }
        #expect(session.actual == nil)
        let device = try session.activate()
        #expect(session.actual == device.actual && session.actual?.sampleRate == 44_100)
        // The device's own say goes before the preferred depth.
        #expect(session.actual?.sampleType == .int16)
        #expect(throws: OutputError.sessionActive) { try session.setPreferred { $0.preferredSampleRate = 48_000 } }
        #expect(throws: OutputError.sessionActive) { _ = try session.activate() }
        device.close()
        session.deactivate()
        session.deactivate()
        #expect(session.actual == nil)
        try session.setPreferred { $0.preferredSampleRate = 48_000 }
        var events = session.events.makeAsyncIterator()
        #expect(await events.next() == .routeChanged(device.actual))
        #expect(await events.next() == .deactivated)
    }

    @Test func aLossIsAnInterruptionUntilTheDeviceIsBack() async throws {
        let session = OutputSession(request: OutputRequest(device: "null"), clock: HostClock())
        let loss = OutputError.lost(device: "null", code: 19)
        let first = try session.activate()
        first.close()
        session.deviceLost(loss)
        #expect(session.actual == nil)
        // What took its place is missing.
        try session.setPreferred { $0.device = "no-such-pcm" }
        #expect(throws: OutputError.self) { _ = try session.activate() }
        try session.setPreferred { $0.device = "null" }
        let second = try session.activate()
        #expect(session.isInterrupted)
        // It opens and takes nothing: the same interruption.
        second.close()
        session.deviceLost(loss)
        let third = try session.activate()
        session.devicePlays()
        session.devicePlays()
        third.close()
        var events = session.events.makeAsyncIterator()
        #expect(await events.next() == .routeChanged(first.actual))
        #expect(await events.next() == .interruptionBegan(loss))
        // It does what it did before.
        #expect(second.actual == first.actual && third.actual == first.actual)
        #expect(await events.next() == .interruptionEnded)
        session.deviceLost(loss)
        #expect(await events.next() == .interruptionBegan(loss))
    }
}
