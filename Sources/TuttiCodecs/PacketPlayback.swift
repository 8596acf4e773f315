package import TuttiCore

/// Turns packets of any formats, one after the other, into stereo: with one decoder as long as they follow each other,
/// and one that begins anew where they do not.
///
/// Every packet becomes exactly its audible frames; one that cannot be decoded is silence.
package final class PacketPlayback {
    /// Packets that could not be decoded, or only by concealment.
    package private(set) var damagedCount = 0

    private let makeDecoder: (AudioFormat) throws(CodecError) -> any PacketDecoder
    private var decoder: (any PacketDecoder)?
    private var format: AudioFormat?
    private var decodedUntil: MediaTime?

    /// A playback that has its decoders made by `makeDecoder`.
    package init(makeDecoder: @escaping (AudioFormat) throws(CodecError) -> any PacketDecoder) {
        self.makeDecoder = makeDecoder
    }

    /// The sound of `packet`, interleaved left and right.
    ///
    /// - Parameter earlier: the packets held before it, from as far back as its codec's pre-roll; asked for only when
    ///   the packet does not follow the one before and brings no pre-roll itself.
    package func play(_ packet: SampleBuffer, earlier: () -> [SampleBuffer]) -> [Float] {
        defer { decodedUntil = packet.timeRange.end }
        do {
            let decoder = try prepare(for: packet, earlier: earlier)
            let concealed = decoder.concealedPacketCount
            let block = try decoder.decode(packet)
            if decoder.concealedPacketCount != concealed { damagedCount += 1 }
            guard block.sampleRate == packet.format.sampleRate, block.frameCount == packet.audibleFrameCount else {
                throw CodecError.corruptPacket("\(block.frameCount) frames at \(block.sampleRate) Hz")
            }
            return Self.stereo(block)
        } catch {
            damagedCount += 1
            return [Float](repeating: 0, count: packet.audibleFrameCount * 2)
        }
    }

    private func prepare(
        for packet: SampleBuffer, earlier: () -> [SampleBuffer]
    ) throws(CodecError) -> any PacketDecoder {
        let isOther = format != packet.format
        if isOther {
            // One that cannot be made is not tried again for each packet.
            (format, decoder) = (packet.format, nil)
            decoder = try makeDecoder(packet.format)
        }
        guard let decoder else { throw .unsupported(packet.format.codec.rawValue) }
        if packet.preroll != nil {
            lead(decoder, to: packet)
        } else if isOther || decodedUntil != packet.presentationTime {
            decoder.reset()
            for packet in earlier() where packet.format == format {
                lead(decoder, to: packet)
                _ = try? decoder.decode(packet)
            }
        }
        return decoder
    }

    /// Lets the decoder begin anew where the packet says so.
    private func lead(_ decoder: any PacketDecoder, to packet: SampleBuffer) {
        guard let preroll = packet.preroll else { return }
        decoder.reset()
        for earlier in preroll {
            let buffer = SampleBuffer(
                format: packet.format, presentationTime: packet.presentationTime, frameCount: earlier.frameCount,
                trimAtStart: earlier.frameCount, data: earlier.data)
            if let buffer { _ = try? decoder.decode(buffer) }
        }
    }

    /// Two channels of whatever there are: mono on both, the first two of more.
    private static func stereo(_ block: PCMBlock) -> [Float] {
        switch block.channelCount {
        case 2: return block.samples
        case 1:
            return [Float](unsafeUninitializedCapacity: block.samples.count * 2) { buffer, count in
                for (index, sample) in block.samples.enumerated() {
                    buffer[2 * index] = sample
                    buffer[2 * index + 1] = sample
                }
                count = block.samples.count * 2
            }
        default:
            return (0..<block.frameCount).flatMap {
                [block.samples[$0 * block.channelCount], block.samples[$0 * block.channelCount + 1]]
            }
        }
    }
}
