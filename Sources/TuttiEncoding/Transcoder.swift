import Dispatch
import TuttiCodecs
package import TuttiCore
import TuttiDecoding
import TuttiWire

/// Turns a timeline's packets into FLAC or Opus where a speaker cannot decode them or its link cannot carry them, and
/// lets the others through; on a queue of its own, in order.
package final class Transcoder: @unchecked Sendable {
    // What follows is used on `queue` alone.
    private let queue = DispatchQueue(label: "tutti-transcoder")
    private let kind: TranscodingProfile
    private let playback = PacketPlayback { format throws(CodecError) in
        try Decoders.make(for: format)
    }
    private var run: TranscodingRun?

    /// - Parameter kind: what is let through, and what becomes of the rest.
    package init(_ kind: TranscodingProfile) { self.kind = kind }

    /// Encodes packets that follow those before, or begin elsewhere.
    ///
    /// - Parameters:
    ///   - earlier: what lies before them, for the decoder to hear first.
    ///   - isEnd: they end a track: nothing is held back.
    ///   - done: called on the queue with what came of them.
    package func encode(
        _ buffers: [SampleBuffer], earlier: [SampleBuffer] = [], isEnd: Bool = false,
        done: @escaping @Sendable ([SampleBuffer]) -> Void
    ) {
        queue.async {
            var result: [SampleBuffer] = []
            for buffer in buffers { self.encode(buffer, earlier: earlier, into: &result) }
            if isEnd { self.finish(into: &result) }
            done(result)
        }
    }

    private func encode(_ buffer: SampleBuffer, earlier: [SampleBuffer], into result: inout [SampleBuffer]) {
        guard !kind.codecs.contains(buffer.format.codec) || buffer.data.count > MediaPacket.maximumPayloadBytes else {
            finish(into: &result)
            result.append(buffer)
            return
        }
        let samples = playback.play(buffer) { earlier }
        if run?.end != buffer.presentationTime {
            // What was held back belongs to something that has been cut.
            run = nil
        } else if run?.source != buffer.format {
            finish(into: &result)
        }
        if run == nil { run = try? TranscodingRun(for: buffer, opusBitrate: kind.opusBitrate) }
        guard var run, let packets = try? run.encode(samples, of: buffer) else { return }
        result += packets
        self.run = run
    }

    private func finish(into result: inout [SampleBuffer]) {
        guard var run else { return }
        self.run = nil
        result += run.finish()
    }
}
