import TuttiCodecs
import TuttiCore
import TuttiDecoding
import TuttiStretch

/// Decodes packets and stretches what follows on without a gap as one sound. Used by one thread at a time.
final class StretchReader {
    /// A packet to be read next.
    struct Order {
        let packet: SampleBuffer
        /// Frames at its front that have been read, or are not wanted.
        let skippedFrames: Int
        /// Where the rest of it lies in the port's time.
        let portTime: MediaTime
        /// Whether it goes on from the one before.
        let isContinuation: Bool
        /// Media seconds a second.
        let rate: Double
    }

    /// The most frames of a buffer: a second and a half at most rates.
    private static let maximumFrames = 1 << 16

    private let playback = PacketPlayback { format throws(CodecError) in try Decoders.make(for: format) }
    private var stretcher: TimeStretcher?
    private var sampleRate = 0
    /// The frame of the port's time, at the run's own rate, that comes out next.
    private var frame: Int64 = 0

    /// Forgets what it holds back.
    func reset() { stretcher = nil }

    /// Reads a packet.
    ///
    /// - Parameter earlier: the packets before it, for a decoder that begins anew.
    /// - Returns: what can be said of it yet, as 16-bit samples in the port's time; a damaged packet is silent.
    func read(_ order: Order, earlier: () -> [SampleBuffer]) -> [SampleBuffer] {
        var samples = playback.play(order.packet, earlier: earlier)
        samples.removeFirst(min(2 * order.skippedFrames, samples.count))
        var buffers: [SampleBuffer] = []
        let rate = order.packet.format.sampleRate
        if stretcher == nil || !order.isContinuation || rate != sampleRate {
            let isJoin = stretcher != nil && order.isContinuation
            buffers = finish()
            begin(at: isJoin ? joint(order.portTime, rate) : order.portTime, rate, order.rate)
        }
        if let stretched = try? stretcher?.process(samples) { buffers += take(stretched) }
        return buffers
    }

    /// Gives what is held back, and ends the run.
    func finish() -> [SampleBuffer] {
        defer { stretcher = nil }
        return (try? stretcher?.finish()).map(take) ?? []
    }

    private func begin(at time: MediaTime, _ newRate: Int, _ speed: Double) {
        sampleRate = newRate
        frame = time.frame(at: newRate)
        stretcher = try? TimeStretcher(rate: speed, sampleRate: newRate)
    }

    /// The end of the run, for one of another sample rate to join there, unless roundings have led away from `time`.
    private func joint(_ time: MediaTime, _ newRate: Int) -> MediaTime {
        let end = MediaTime(frame: frame, sampleRate: sampleRate)
        return abs((end - time).seconds) * Double(min(sampleRate, newRate)) < 2 ? end : time
    }

    private func take(_ samples: [Float]) -> [SampleBuffer] {
        guard
            let format = AudioFormat(
                codec: .pcm, sampleRate: sampleRate, channelCount: 2, bitDepth: TimeStretcher.bitDepth)
        else { return [] }
        return stride(from: 0, to: samples.count, by: 2 * Self.maximumFrames).compactMap { start in
            let part = samples[start..<min(start + 2 * Self.maximumFrames, samples.count)]
            let data = [UInt8](unsafeUninitializedCapacity: 2 * part.count) { bytes, count in
                for (index, sample) in part.enumerated() {
                    let bits = UInt16(bitPattern: Int16(max(-32_768, min(32_767, (sample * 32_768).rounded()))))
                    bytes[2 * index] = UInt8(truncatingIfNeeded: bits)
                    bytes[2 * index + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                }
                count = 2 * part.count
            }
            defer { frame += Int64(part.count / 2) }
            return SampleBuffer(
                format: format, presentationTime: MediaTime(frame: frame, sampleRate: sampleRate),
                frameCount: part.count / 2, data: data)
        }
    }
}
