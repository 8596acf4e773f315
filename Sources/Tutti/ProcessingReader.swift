import TuttiCodecs
import TuttiCore
import TuttiDecoding
import TuttiEngine
import TuttiStretch

/// Decodes packets, and stretches and processes what follows on without a gap as one sound. Used by one thread at a time.
final class ProcessingReader {
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
    private let engine: EngineStage?
    private var stretcher: TimeStretcher?
    private var isOpen = false
    private var sampleRate = 0
    /// The frame of the port's time, at the run's own rate, that comes out next.
    private var frame: Int64 = 0

    /// - Parameter engine: what the sound goes through, if anything.
    init(engine: AudioEngine? = nil) { self.engine = engine.map(EngineStage.init) }

    /// Forgets what it holds back.
    func reset() { (stretcher, isOpen) = (nil, false) }

    /// Reads a packet.
    ///
    /// - Parameter earlier: the packets before it, for a decoder that begins anew.
    /// - Returns: what can be said of it yet, as samples in the port's time; a damaged packet is silent.
    func read(_ order: Order, earlier: () -> [SampleBuffer]) -> [SampleBuffer] {
        var samples = playback.play(order.packet, earlier: earlier)
        samples.removeFirst(min(2 * order.skippedFrames, samples.count))
        var buffers: [SampleBuffer] = []
        let rate = order.packet.format.sampleRate
        if !isOpen || !order.isContinuation || rate != sampleRate {
            let isJoin = isOpen && order.isContinuation
            buffers = finish()
            begin(at: isJoin ? joint(order.portTime, rate) : order.portTime, rate, order.rate)
        }
        if let stretcher { samples = (try? stretcher.process(samples)) ?? [] }
        return buffers + take(engine?.process(samples) ?? samples)
    }

    /// Gives what is held back, and ends the run.
    func finish() -> [SampleBuffer] {
        guard isOpen else { return [] }
        defer { reset() }
        let rest = (try? stretcher?.finish()) ?? []
        return take(engine.map { $0.process(rest) + $0.finish() } ?? rest)
    }

    private func begin(at time: MediaTime, _ newRate: Int, _ speed: Double) {
        sampleRate = newRate
        frame = time.frame(at: newRate)
        isOpen = true
        stretcher = speed == 1 ? nil : try? TimeStretcher(rate: speed, sampleRate: newRate)
        engine?.begin(sampleRate: newRate)
    }

    /// The end of the run, for one of another sample rate to join there, unless roundings have led away from `time`.
    private func joint(_ time: MediaTime, _ newRate: Int) -> MediaTime {
        let end = MediaTime(frame: frame, sampleRate: sampleRate)
        return abs((end - time).seconds) * Double(min(sampleRate, newRate)) < 2 ? end : time
    }

    private func take(_ samples: [Float]) -> [SampleBuffer] {
        // An engine's sound has more bits than a stretcher's.
        guard
            let format = engine == nil
                ? AudioFormat(codec: .pcm, sampleRate: sampleRate, channelCount: 2, bitDepth: TimeStretcher.bitDepth)
                : AudioFormat(codec: .float32, sampleRate: sampleRate, channelCount: 2, bitDepth: 32)
        else { return [] }
        return stride(from: 0, to: samples.count, by: 2 * Self.maximumFrames).compactMap { start in
            let part = samples[start..<min(start + 2 * Self.maximumFrames, samples.count)]
            defer { frame += Int64(part.count / 2) }
            return SampleBuffer(
                format: format, presentationTime: MediaTime(frame: frame, sampleRate: sampleRate),
                frameCount: part.count / 2,
                data: engine == nil ? Self.integers(part) : part.withUnsafeBytes { [UInt8]($0) })
        }
    }

    /// Samples of 16 bits.
    private static func integers(_ samples: ArraySlice<Float>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 2 * samples.count) { bytes, count in
            for (index, sample) in samples.enumerated() {
                let bits = UInt16(bitPattern: Int16(max(-32_768, min(32_767, (sample * 32_768).rounded()))))
                bytes[2 * index] = UInt8(truncatingIfNeeded: bits)
                bytes[2 * index + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            }
            count = 2 * samples.count
        }
    }
}
