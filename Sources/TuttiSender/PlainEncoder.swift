import Dispatch
import TuttiCodecs
import TuttiCore
import TuttiFFmpeg
import TuttiWire

/// Turns a programme's packets into FLAC where a speaker cannot decode them, and lets the others through; on a queue of
/// its own, in order.
///
/// The frames that are heard stay the same, one for one, so that every place on the timeline does too.
final class PlainEncoder: @unchecked Sendable {
    // What follows is used on `queue` alone.
    private let queue = DispatchQueue(label: "tutti-plain")
    private let codecs: Set<AudioFormat.Codec>
    private let playback = PacketPlayback { format throws(CodecError) in
        try FFmpegDecoders.make(for: format)
    }
    private var run: Run?

    /// Sound of one rate without a gap.
    private struct Run {
        let encoder: any PacketEncoder
        let source: AudioFormat
        var writer: PacketWriter
        /// Where what is encoded ends, which may be ahead of the packets that have come out.
        var end: MediaTime
    }

    /// - Parameter codecs: what is let through.
    init(codecs: Set<AudioFormat.Codec>) { self.codecs = codecs }

    /// Encodes packets that follow those before, or begin elsewhere.
    ///
    /// - Parameters:
    ///   - earlier: what lies before them, for the decoder to hear first.
    ///   - isEnd: they end a piece: nothing is held back.
    ///   - done: called on the queue with what came of them.
    func encode(
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
        guard !codecs.contains(buffer.format.codec) || buffer.data.count > MediaPacket.maximumPayloadBytes else {
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
        if run == nil { run = makeRun(for: buffer) }
        guard var run, let packets = try? run.encoder.encode(samples) else { return }
        result += packets.compactMap { run.writer.buffer(for: $0) }
        run.end = buffer.timeRange.end
        self.run = run
    }

    private func makeRun(for buffer: SampleBuffer) -> Run? {
        let format = buffer.format
        let encoder = try? Codecs.makeEncoder(
            codec: .flac, sourceRate: format.sampleRate, channels: 2, bitDepth: format.bitDepth)
        return encoder.map {
            Run(
                encoder: $0, source: format,
                writer: PacketWriter(format: $0.format, base: buffer.presentationTime), end: buffer.presentationTime)
        }
    }

    private func finish(into result: inout [SampleBuffer]) {
        guard var run else { return }
        self.run = nil
        result += ((try? run.encoder.finish()) ?? []).compactMap { run.writer.buffer(for: $0) }
    }
}
