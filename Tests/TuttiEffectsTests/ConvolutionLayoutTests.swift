import Testing
import TuttiEffects

@Suite("Layout of a convolution") struct ConvolutionLayoutTests {
    @Test("every coefficient is in it once, and no partition is due before it is made", arguments: [false, true])
    func cover(hasZeroLatency: Bool) {
        for taps in [1, 64, 65, 1_000, 4_096, 65_536, 100_001, 1 << 19, 1 << 20] {
            for maximumFrames in [1, 64, 240, 480, 1_024, 8_192] {
                let layout = ConvolutionLayout(
                    taps: taps, maximumFrames: maximumFrames, hasZeroLatency: hasZeroLatency)
                var next = layout.directCount
                for (index, stretch) in layout.stretches.enumerated() {
                    #expect(stretch.offset == next && stretch.count > 0)
                    next += stretch.count * stretch.size
                    // The first is made at once; later ones while a whole partition comes in.
                    let wait = index == 0 ? stretch.size : 2 * stretch.size
                    #expect(stretch.offset + layout.latency >= wait)
                }
                #expect(next >= taps && next - (layout.stretches.last?.size ?? 1) < taps)
                #expect(layout.latency == 0 || layout.latency == layout.blockSize)
                #expect(!hasZeroLatency || layout.latency == 0)
                #expect(layout.latency <= max(64, maximumFrames))
                #expect(layout.directCount <= 512)
            }
        }
    }
}
