import Testing
import TuttiSignal

@Suite("Envelopes of waveforms")
struct WaveformEnvelopeTests {
    @Test("every stretch has its lowest and highest sample, and their number stays bounded")
    func spans() {
        var envelope = WaveformEnvelope(maximumCount: 8)
        for frame in 0..<64 * 20 { envelope.add(Float(frame), -Float(frame)) }
        #expect(envelope.frameCount == 1_280)
        #expect(envelope.framesPerSpan == 256 && envelope.spans.count == 5)
        for (index, span) in envelope.spans.enumerated() {
            #expect(span.lowest == -Float(256 * index + 255) && span.highest == Float(256 * index + 255))
        }
    }
}
