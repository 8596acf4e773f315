import Testing
import TuttiChain

@Suite struct EffectChainTests {
    @Test func matricesCountTheirChannels() {
        #expect(ChannelMatrix.mono.inputCount == 2)
        #expect(ChannelMatrix([[1, 0]]).outputCount == 1)
    }
}
