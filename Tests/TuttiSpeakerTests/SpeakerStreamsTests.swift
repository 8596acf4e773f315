import Synchronization
import Testing
import TuttiCore
import TuttiPlayback
import TuttiRendering
import TuttiSpeaker
import TuttiWire

/// Whose stream a speaker holds, and when it is over.
@Suite struct SpeakerStreamsTests {
    private func streams() throws -> SpeakerStreams {
        let streams = SpeakerStreams(
            owner: StreamBuffer(maximumBytes: 1 << 20), overlays: [StreamBuffer(maximumBytes: 1 << 20)])
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        for tenth in 0..<20 {
            let packet = try #require(
                SampleBuffer(
                    format: format, presentationTime: MediaTime(frame: Int64(tenth), sampleRate: 10),
                    frameCount: 4_800, data: Array(repeating: 1, count: 19_200)))
            #expect(streams.owner.insert(packet))
        }
        return streams
    }

    private func hello(_ sender: String, _ stream: UInt32) -> Hello {
        Hello(role: .control, senderID: sender, senderName: "", stream: stream)
    }

    @Test func onlyTheSameStreamOfTheSameSenderIsKept() throws {
        for (sender, stream, isKept) in [("hall", 7, true), ("hall", 8, false), ("desk", 7, false)] {
            var streams = try streams()
            streams.take(hello("hall", 7), of: nil)
            #expect(streams.owner.state.withLock { $0.store.isEmpty }, "what nobody is known to have sent is dropped")
            let other = try self.streams()
            for packet in other.owner.state.withLock({ $0.store.packets(from: .zero) }) {
                #expect(streams.owner.insert(packet))
            }
            streams.take(hello(sender, UInt32(stream)), of: nil)
            #expect(streams.owner.state.withLock { !$0.store.isEmpty } == isKept)
        }
        var ofSomebody = try streams()
        ofSomebody.take(hello("hall", 7), of: "key")
        #expect(ofSomebody.ownersNode == "key")
        ofSomebody.release()
        #expect(ofSomebody.ownersNode == nil)
        let streams = try streams()
        #expect(streams[.owner] === streams.owner && streams[.overlay(0)] === streams.all.last)
    }

    @Test func aStreamIsOverAtItsEndAndWithoutAClockOnceAllOfItWouldBe() throws {
        var streams = try streams()
        func hasRunOut(_ milliseconds: Int64?, isClockKnown: Bool, at seconds: Int64) -> Bool {
            streams.hasRunOut(
                playhead: milliseconds.map { MediaTime(frame: $0, sampleRate: 1_000) }, isClockKnown: isClockKnown,
                now: HostTime(nanoseconds: seconds * 1_000_000_000))
        }
        #expect(!hasRunOut(1_999, isClockKnown: true, at: 0))
        #expect(hasRunOut(2_000, isClockKnown: true, at: 0) && hasRunOut(nil, isClockKnown: true, at: 0))
        #expect(!hasRunOut(nil, isClockKnown: false, at: 1) && !hasRunOut(nil, isClockKnown: false, at: 2))
        #expect(hasRunOut(nil, isClockKnown: false, at: 3))
        streams.release()
        #expect(hasRunOut(nil, isClockKnown: true, at: 3))
    }
}
