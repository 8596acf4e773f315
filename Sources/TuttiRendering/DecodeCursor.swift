import Synchronization
import TuttiCodecs
import TuttiCore
import TuttiDecoding
import TuttiPlayback

/// Decoded stereo audio for one span of the stream.
package struct DecodedChunk {
    /// Interleaved left and right; not empty.
    var samples: [Float]
    /// Frames a second.
    let sampleRate: Int
    /// The media time of the first frame.
    let start: MediaTime
    /// What it was decoded from.
    let format: AudioFormat

    var frameCount: Int { samples.count / 2 }
}

/// Reads the stream from a position on, packet by packet, as decoded audio. Used by the decode worker only.
final class DecodeCursor {
    /// The media time that is read next.
    private(set) var position: MediaTime

    private let stream: StreamBuffer
    private let playback = PacketPlayback { format throws(CodecError) in try Decoders.make(for: format) }
    private var reportedDamage = 0

    init(stream: StreamBuffer, position: MediaTime) {
        self.stream = stream
        self.position = position
    }

    /// Goes on at `time`, leaving out what lies in between.
    func skip(to time: MediaTime) { position = max(position, time) }

    /// Decodes what comes next, and moves on after it.
    func next() -> (reading: PlaybackPlan.Reading, chunk: DecodedChunk?) {
        // Packets of which nothing is left beyond the position can follow each other in any number.
        while true {
            switch stream.state.withLock({ $0.look(at: position) }) {
            case .packet(let packet):
                guard let chunk = read(packet) else { continue }
                let rate = chunk.sampleRate
                return (.audio(start: chunk.start, sampleRate: rate, frames: chunk.frameCount), chunk)
            case .gap(let time): return (.gap(until: time), nil)
            case .starved: return (.starved, nil)
            case .ended: return (.ended, nil)
            }
        }
    }

    /// Decodes a packet that plays at the position, and moves on behind it; nil when nothing of it is left.
    private func read(_ packet: SampleBuffer) -> DecodedChunk? {
        let rate = packet.format.sampleRate
        let skipped = Int((position - packet.presentationTime).frame(at: rate))
        position = packet.timeRange.end
        var samples = decode(packet)
        if skipped > 0 { samples.removeFirst(min(skipped * 2, samples.count)) }
        guard !samples.isEmpty else { return nil }
        let start = packet.presentationTime + MediaTime(frame: Int64(max(skipped, 0)), sampleRate: rate)
        return DecodedChunk(samples: samples, sampleRate: rate, start: start, format: packet.format)
    }

    /// The packet as stereo; silence of its length when it cannot be decoded.
    private func decode(_ packet: SampleBuffer) -> [Float] {
        let samples = playback.play(packet) {
            stream.state.withLock { $0.store.packets(before: packet) }
        }
        let damage = playback.damagedCount - reportedDamage
        if damage > 0 {
            reportedDamage += damage
            stream.state.withLock { $0.damagedPackets += damage }
        }
        return samples
    }
}
