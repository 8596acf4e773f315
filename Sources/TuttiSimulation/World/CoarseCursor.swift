import Synchronization
import TuttiCore
import TuttiPlayback
import TuttiRendering

/// What is left of a packet from a place on, as if it were decoded.
struct CoarseChunk {
    let media: MediaSpan
    /// Nil where the packet is none of the simulation's: that is silent.
    let packet: SymbolicPacket?
    let format: AudioFormat
    /// The media time of the first frame.
    let start: MediaTime
    let frames: Int

    init(_ held: SampleBuffer, from position: MediaTime) {
        let rate = held.format.sampleRate
        let (range, skipped) = (held.timeRange, (position - held.presentationTime).frame(at: rate))
        format = held.format
        packet = SymbolicPacket(held.data)
        start = held.presentationTime + MediaTime(frame: max(skipped, 0), sampleRate: rate)
        frames = Int(max(0, range.duration.frame(at: rate) - max(skipped, 0)))
        media = MediaSpan(min(start, range.end).nanoseconds, range.end.nanoseconds)
    }
}

/// Reads a stream from a position on, as `DecodeCursor` does.
struct CoarseCursor {
    /// The media time that is read next.
    private(set) var position: MediaTime

    init(position: MediaTime) { self.position = position }

    /// Goes on at `time`, leaving out what lies in between.
    mutating func skip(to time: MediaTime) { position = max(position, time) }

    /// Reads what comes next, and moves on behind it.
    mutating func next(in stream: StreamBuffer) -> (reading: PlaybackPlan.Reading, chunk: CoarseChunk?) {
        while true {
            switch stream.state.withLock({ $0.look(at: position) }) {
            case .packet(let packet):
                let chunk = CoarseChunk(packet, from: position)
                position = packet.timeRange.end
                guard chunk.frames > 0 else { continue }
                let rate = chunk.format.sampleRate
                return (.audio(start: chunk.start, sampleRate: rate, frames: chunk.frames), chunk)
            case .gap(let time): return (.gap(until: time), nil)
            case .starved: return (.starved, nil)
            case .ended: return (.ended, nil)
            }
        }
    }
}
