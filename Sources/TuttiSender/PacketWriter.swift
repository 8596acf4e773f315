import TuttiCodecs
import TuttiCore

/// Puts encoded packets end to end on the timeline, exactly: by counting frames from a base.
struct PacketWriter {
    private let format: AudioFormat
    private let base: MediaTime
    private var frames: Int64 = 0

    init(format: AudioFormat, base: MediaTime) {
        self.format = format
        self.base = base
    }

    /// Where the next packet begins.
    var position: MediaTime { base + MediaTime(frame: frames, sampleRate: format.sampleRate) }

    /// The packet at its place; nil for one of impossible counts.
    mutating func buffer(for packet: EncodedPacket) -> SampleBuffer? {
        let buffer = SampleBuffer(
            format: format, presentationTime: position, frameCount: packet.frameCount,
            trimAtStart: packet.trimAtStart, trimAtEnd: packet.trimAtEnd, data: packet.data)
        frames += Int64(packet.audibleFrameCount)
        return buffer
    }
}
