import Synchronization
import TuttiCodecs
import TuttiCore
import TuttiDecoding
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

        /// What a plan is told of it.
        var reading: PlaybackPlan.Reading {
            switch self {
            case .chunk(let chunk):
                .audio(start: chunk.start, sampleRate: chunk.sampleRate, frames: chunk.frameCount)
            case .gap(let time): .gap(until: time)
            case .starved: .starved
            case .ended: .ended
            }
        }

        /// The audio, where there is some.
        var chunk: DecodedChunk? { if case .chunk(let chunk) = self { chunk } else { nil } }
    }

    /// The media time that is read next.
    private(set) var position: MediaTime

    private let programme: Programme
    private let playback = PacketPlayback { format throws(CodecError) in try Decoders.make(for: format) }
    private var reportedDamage = 0

    init(programme: Programme, position: MediaTime) {
        self.programme = programme
        self.position = position
    }

    /// Goes on at `time`, leaving out what lies in between.
    func skip(to time: MediaTime) { position = max(position, time) }

    /// Decodes what comes next, and moves on behind it.
    func next() -> Step {
        // Packets of which nothing is left beyond the position can follow each other in any number.
        while true {
            let packet: SampleBuffer
            switch programme.state.withLock({ $0.look(at: position) }) {
            case .packet(let held): packet = held
            case .gap(let time): return .gap(until: time)
            case .starved: return .starved
            case .ended: return .ended
            }
            if let chunk = read(packet) { return .chunk(chunk) }
        }
    }

    /// Decodes a packet that is heard at the position, and moves on behind it; nil when nothing of it is left.
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
            programme.state.withLock { $0.store.packets(before: packet) }
        }
        let damage = playback.damagedCount - reportedDamage
        if damage > 0 {
            reportedDamage += damage
            programme.state.withLock { $0.damagedPackets += damage }
        }
        return samples
    }
}
