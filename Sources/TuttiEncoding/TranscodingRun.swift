import TuttiCodecs
import TuttiCore

/// Sound of one rate without a gap on its way into packets that all speakers can decode. Every place on the timeline
/// stays what it was: to the frame, or to half a frame where Opus needs another rate.
struct TranscodingRun {
    let source: AudioFormat
    /// Where what is encoded ends, which may be ahead of the packets that have come out.
    private(set) var end: MediaTime
    private var packets: PacketRun
    private var converter: SampleRateConverter?
    private var (framesIn, framesOut) = (0, 0)

    /// Opus knows no other.
    private static let opusRate = 48_000

    /// - Parameters:
    ///   - buffer: the first of the sound.
    ///   - opusBitrate: bits a second of Opus; nil for FLAC.
    init(for buffer: SampleBuffer, opusBitrate: Int?) throws(CodecError) {
        source = buffer.format
        end = buffer.presentationTime
        var options = EncoderOptions()
        if let opusBitrate { options.opusBitrate = opusBitrate }
        let encoder = try Codecs.makeEncoder(
            codec: opusBitrate == nil ? .flac : .opus,
            sourceRate: opusBitrate == nil ? source.sampleRate : Self.opusRate, channels: 2,
            bitDepth: source.bitDepth, options: options)
        if encoder.format.sampleRate != source.sampleRate {
            converter = SampleRateConverter(sourceRate: source.sampleRate, targetRate: encoder.format.sampleRate)
        }
        packets = PacketRun(encoder, at: buffer.presentationTime)
    }

    /// Takes the sound of the packet that follows.
    mutating func encode(_ samples: [Float], of buffer: SampleBuffer) throws(CodecError) -> [SampleBuffer] {
        precondition(buffer.format == source, "a run has one format")
        precondition(buffer.presentationTime == end, "a run has no gap")
        framesIn += samples.count / 2
        let converted = converter?.process(samples) ?? samples
        framesOut += converted.count / 2
        end = buffer.timeRange.end
        return try packets.encode(converted)
    }

    /// Gives what is held back.
    mutating func finish() -> [SampleBuffer] {
        var result: [SampleBuffer] = []
        if let rest = converter?.finish() {
            // As many frames as lie before the end, to the nearest: the next run begins there.
            let rate = packets.format.sampleRate
            let whole = (framesIn * rate * 2 + source.sampleRate) / (source.sampleRate * 2)
            result = (try? packets.encode(Array(rest.prefix(2 * max(0, whole - framesOut))))) ?? []
        }
        result += (try? packets.finish()) ?? []
        return result
    }
}
