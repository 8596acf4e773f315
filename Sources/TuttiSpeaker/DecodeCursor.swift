import Synchronization
import TuttiCodecs
import TuttiCore
import TuttiPlayback

/// Decoded stereo audio for one span of the programme.
struct DecodedChunk {
    /// Interleaved left and right; not empty.
    var samples: [Float]
    /// Frames a second.
    let sampleRate: Int
    /// The media time of the first frame.
    let start: MediaTime
    /// What it was decoded from.
    let format: AudioFormat

    var frameCount: Int { samples.count / 2 }

    /// The media time after the last frame.
    var end: MediaTime { start + MediaTime(frame: Int64(frameCount), sampleRate: sampleRate) }
}

/// Reads the programme from a position on, packet by packet, as decoded audio. Used by the decode worker only.
final class DecodeCursor {
    /// What there is at the cursor.
    enum Step {
        case chunk(DecodedChunk)
        /// Nothing is held at the position, but something from this time on.
        case gap(until: MediaTime)
        /// Nothing is held at the position or behind it: it may still come.
        case starved
        /// The programme ends here.
        case ended
    }

    /// The media time that is read next.
    private(set) var position: MediaTime

    private let programme: Programme
    private var decoder: (any PacketDecoder)?
    private var decoderFormat: AudioFormat?
    private var decodedUntil: MediaTime?

    /// Audio before the position that a decoder with memory hears first, so that it gives the right samples: 80 ms
    /// (RFC 7845, section 4.6).
    private static let preroll = MediaTime(frame: 80, sampleRate: 1_000)

    init(programme: Programme, position: MediaTime) {
        self.programme = programme
        self.position = position
    }

    /// Goes on at `time`, leaving out what lies in between.
    func skip(to time: MediaTime) { position = max(position, time) }

    /// Decodes what comes next, and moves on behind it.
    func next() -> Step {
        let (packet, following, end) = programme.state.withLock { state in
            let packet = state.store.packet(covering: position)
            return (packet, packet == nil ? state.store.next(after: position)?.presentationTime : nil, state.end)
        }
        if let end, position >= end { return .ended }
        guard let packet else { return following.map { .gap(until: $0) } ?? .starved }

        let rate = packet.format.sampleRate
        let skipped = Int((position - packet.presentationTime).frame(at: rate))
        position = packet.timeRange.end
        var samples = decode(packet)
        if skipped > 0 { samples.removeFirst(min(skipped * 2, samples.count)) }
        guard !samples.isEmpty else { return next() }
        let start = packet.presentationTime + MediaTime(frame: Int64(max(skipped, 0)), sampleRate: rate)
        return .chunk(DecodedChunk(samples: samples, sampleRate: rate, start: start, format: packet.format))
    }

    /// The packet as stereo; silence of its length when it cannot be decoded.
    private func decode(_ packet: SampleBuffer) -> [Float] {
        do {
            let decoder = try decoder(for: packet)
            let block = try decoder.decode(packet)
            decodedUntil = packet.timeRange.end
            guard block.sampleRate == packet.format.sampleRate, block.frameCount == packet.audibleFrameCount else {
                return silence(for: packet)
            }
            return Self.stereo(block)
        } catch {
            decodedUntil = nil
            return silence(for: packet)
        }
    }

    private func silence(for packet: SampleBuffer) -> [Float] {
        return [Float](repeating: 0, count: packet.audibleFrameCount * 2)
    }

    private func decoder(for packet: SampleBuffer) throws(CodecError) -> any PacketDecoder {
        let current: any PacketDecoder
        if let decoder, decoderFormat == packet.format {
            current = decoder
        } else {
            current = try Codecs.makeDecoder(for: packet.format)
            decoder = current
            decoderFormat = packet.format
            decodedUntil = nil
        }
        if decodedUntil != packet.presentationTime {
            current.reset()
            if packet.format.codec == .opus { prime(current, before: packet) }
        }
        return current
    }

    /// Lets the decoder hear what comes before `packet`, as far as it is held.
    private func prime(_ decoder: any PacketDecoder, before packet: SampleBuffer) {
        var time = packet.presentationTime - Self.preroll
        while time < packet.presentationTime {
            let earlier = programme.state.withLock { $0.store.packet(covering: time) ?? $0.store.next(after: time) }
            guard let earlier, earlier.presentationTime < packet.presentationTime, earlier.format == packet.format,
                !earlier.timeRange.isEmpty
            else { return }
            _ = try? decoder.decode(earlier)
            time = earlier.timeRange.end
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
