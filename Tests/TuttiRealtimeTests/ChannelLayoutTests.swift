import Testing
import TuttiPlayback
import TuttiRealtime

@Suite struct ChannelLayoutTests {
    private func lay(_ channels: Int) -> [Float] {
        var output = [Float](repeating: 9, count: 2 * channels)
        ChannelLayout.map([0.5, 0.25, -1, 1], frames: 2, channels: channels, into: &output)
        return output
    }

    @Test func oneChannelHasBothSidesAndOfManyTheFirstTwo() {
        #expect(lay(1) == [0.375, 0])
        #expect(lay(2) == [0.5, 0.25, -1, 1])
        #expect(lay(4) == [0.5, 0.25, 0, 0, -1, 1, 0, 0])
    }
}
