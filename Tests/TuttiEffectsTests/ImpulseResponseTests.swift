import Testing
import TuttiEffects

@Suite struct ImpulseResponseTests {
    @Test func channelsAreOfOneLength() {
        #expect(ImpulseResponse(channels: [[1], [1, 0]], sampleRate: 48_000) == nil)
        #expect(ImpulseResponse(channels: [[1, 0], [1, 0]], sampleRate: 48_000) != nil)
    }
}
